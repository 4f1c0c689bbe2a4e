// The `sql` tag: values become parameters, never text. A statement without variable fragments gets
// a name derived from its text, so PostgreSQL plans it once per connection.

import { hash } from 'node:crypto'

export class Sql {
  readonly text: string
  readonly values: unknown[]
  /** Set if the text is always the same: only such a statement is worth preparing. */
  readonly name: string | undefined

  constructor(text: string, values: unknown[], name?: string) {
    this.text = text
    this.values = values
    this.name = name
  }
}

/** A fragment with one of a few texts: a statement with it is prepared for each of them. */
export class FixedFragment extends Sql {}

interface FixedText {
  text: string
  name: string
}

/** By the texts of the fragments in the statement. */
const fixedTexts = new WeakMap<TemplateStringsArray, Map<string, FixedText>>()

export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  let key = ''
  for (const value of values) {
    if (value instanceof FixedFragment) key += value.text
    else if (value instanceof Sql) return composed(strings, values)
  }
  const { text, name } = fixedText(strings, values, key)
  return new Sql(text, key === '' ? values : flat(values), name)
}

function fixedText(strings: TemplateStringsArray, values: unknown[], key: string): FixedText {
  let by_key = fixedTexts.get(strings)
  if (by_key === undefined) {
    by_key = new Map()
    fixedTexts.set(strings, by_key)
  }
  let fixed = by_key.get(key)
  if (fixed === undefined) {
    const { text } = composed(strings, values)
    fixed = { text, name: `florin_${hash('sha1', text).slice(0, 16)}` }
    by_key.set(key, fixed)
  }
  return fixed
}

function flat(values: unknown[]): unknown[] {
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
  return new Sql(text, parameters)
}
