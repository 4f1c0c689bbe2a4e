// The `sql` tag: values become parameters, never text. A statement without variable fragments gets
// a name derived from its text, so PostgreSQL plans it once per connection.

import { hash } from 'node:crypto'

export class Sql {
  readonly text: string
  readonly values: unknown[]
  /** Set if the text is always the same: only such a statement is worth preparing. */
  readonly name: string | undefined

  constructor(text: string, values: unknown[], name: string | undefined) {
    this.text = text
    this.values = values
    this.name = name
  }
}

/** A fragment whose text never changes, so the statement around it is prepared too. */
export class FixedFragment extends Sql {
  constructor(text: string, values: unknown[]) {
    super(text, values, undefined)
  }
}

interface FixedText {
  text: string
  name: string
}

const fixedTexts = new WeakMap<TemplateStringsArray, FixedText>()

/** A FixedFragment must be the same one at every call. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  if (values.some(isVariable)) return composed(strings, values)
  let fixed = fixedTexts.get(strings)
  if (fixed === undefined) {
    const { text } = composed(strings, values)
    fixed = { text, name: `florin_${hash('sha1', text).slice(0, 16)}` }
    fixedTexts.set(strings, fixed)
  }
  return new Sql(fixed.text, flat(values), fixed.name)
}

function isVariable(value: unknown): boolean {
  return value instanceof Sql && !(value instanceof FixedFragment)
}

function flat(values: unknown[]): unknown[] {
  if (!values.some((value) => value instanceof FixedFragment)) return values
  return values.flatMap((value) => (value instanceof FixedFragment ? value.values : [value]))
}

/** An empty fragment, for a filter that is not set. */
export const nothing = sql``

function composed(strings: TemplateStringsArray, values: unknown[]): Sql {
  const parameters: unknown[] = []
  let text = strings[0]!
  values.forEach((value, at) => {
    if (value instanceof Sql) {
      text += value.text.replace(/\$(\d+)/g, (_, n) => `$${Number(n) + parameters.length}`)
      parameters.push(...value.values)
    } else {
      parameters.push(value)
      text += `$${parameters.length}`
    }
    text += strings[at + 1]!
  })
  return new Sql(text, parameters, undefined)
}
