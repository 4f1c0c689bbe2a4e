// Comparing what the model says with what the server showed. Ids and times only the server knows:
// for each the model has a cell, which takes the value that is first shown for it and must agree
// with every later one, wherever it is shown.

const shapes = {
  time: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  access_token: /^fat_[\w-]{43}$/,
  refresh_token: /^frt_[\w-]{43}$/,
  api_key: /^sk_sandbox_[\w-]{43}$/,
  webhook_secret: /^whsec_[\w+/=]+$/,
  last4: /^[\w-]{4}$/,
  link: /^http:\/\/[^/]+\/pay\/[\w-]{43}$/,
} as const

type Prefix = 'usr' | 'acct' | 'txn' | 'pay' | 'ses' | 'sub' | 'key' | 'evt' | 'we'

export class Placeholder {
  readonly kind: string
  readonly shape: RegExp
  value: string | undefined

  constructor(kind: keyof typeof shapes | Prefix, value?: string) {
    this.kind = kind
    this.value = value
    const known = shapes[kind as keyof typeof shapes] as RegExp | undefined
    this.shape = known ?? new RegExp(`^${kind}_[0-9a-hjkmnp-tv-z]{26}$`)
  }

  /** For whoever needs the value itself, when it must have been shown. */
  get known(): string {
    if (this.value === undefined) throw new Error(`no ${this.kind} has been shown for this yet`)
    return this.value
  }
}

export type Look = (cell: Placeholder) => string

/** A value that follows from cells, and is worked out when they have theirs. */
export class Derived<Value = unknown> {
  readonly from: (look: Look) => Value

  constructor(from: (look: Look) => Value) {
    this.from = from
  }

  get known(): Value {
    return this.from((cell) => cell.known)
  }
}

/** Something that the model does not predict beyond its shape. */
export class Matcher {
  readonly fits: (value: unknown) => boolean
  readonly name: string

  constructor(name: string, fits: (value: unknown) => boolean) {
    this.name = name
    this.fits = fits
  }
}

const isTime = (value: unknown) => typeof value === 'string' && shapes.time.test(value)
export const anyText = new Matcher('a text', (value) => typeof value === 'string' && value !== '')
export const anyTime = new Matcher('a time', isTime)
export const timeOrNull = new Matcher('a time or null', (value) => value === null || isTime(value))

interface Search {
  found: Map<Placeholder, string>
  derived: { value: Derived; actual: unknown; path: string }[]
}

/** What does not agree, or undefined; then every cell has its value. */
export function unify(expected: unknown, actual: unknown): string | undefined {
  const search: Search = { found: new Map(), derived: [] }
  const fault = differ(expected, actual, 'body', search) ?? differLater(search)
  if (fault !== undefined) return fault
  for (const [cell, value] of search.found) cell.value = value
  return undefined
}

function differLater({ derived, found }: Search): string | undefined {
  const look: Look = (cell) => found.get(cell) ?? cell.known
  for (const { value, actual, path } of derived) {
    const wanted = value.from(look)
    if (wanted !== actual) return say(path, wanted, actual)
  }
  return undefined
}

function differ(
  expected: unknown,
  actual: unknown,
  path: string,
  search: Search,
): string | undefined {
  if (expected instanceof Placeholder) return differFromCell(expected, actual, path, search)
  if (expected instanceof Matcher) {
    return expected.fits(actual) ? undefined : say(path, expected.name, actual)
  }
  if (expected instanceof Derived) {
    search.derived.push({ value: expected, actual, path })
    return undefined
  }
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'object') {
    return expected === actual ? undefined : say(path, expected, actual)
  }
  if (actual === null || Array.isArray(expected) !== Array.isArray(actual)) {
    return say(path, expected, actual)
  }
  return differInside(expected, actual, path, search)
}

function differFromCell(
  cell: Placeholder,
  actual: unknown,
  path: string,
  { found }: Search,
): string | undefined {
  const wanted = cell.value ?? found.get(cell)
  if (wanted !== undefined) return wanted === actual ? undefined : say(path, wanted, actual)
  if (typeof actual !== 'string' || !cell.shape.test(actual)) {
    return say(path, `a new ${cell.kind}`, actual)
  }
  found.set(cell, actual)
  return undefined
}

function differInside(
  expected: object,
  actual: object,
  path: string,
  search: Search,
): string | undefined {
  const [wanted, shown] = [Object.keys(expected).sort(), Object.keys(actual).sort()]
  if (wanted.join() !== shown.join()) return say(`${path}, its fields`, wanted, shown)
  for (const name of wanted) {
    const [one, other] = [expected, actual].map((it) => (it as Record<string, unknown>)[name])
    const fault = differ(one, other, `${path}.${name}`, search)
    if (fault !== undefined) return fault
  }
  return undefined
}

function say(path: string, expected: unknown, actual: unknown): string {
  return `${path}: the model says ${plain(expected)}, the server ${plain(actual)}`
}

export function plain(value: unknown): string {
  const text = JSON.stringify(value, (_, inner) => {
    if (inner instanceof Placeholder) return inner.value ?? `<${inner.kind}>`
    if (inner instanceof Matcher) return `<${inner.name}>`
    return inner instanceof Derived ? '<derived>' : inner
  })
  return text ?? 'nothing'
}
