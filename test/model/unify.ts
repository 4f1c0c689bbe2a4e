// Compares the model's expectation with the server's response. Only the server knows ids and times:
// for each, the model has a placeholder that takes the first value shown for it. Every later value
// for the placeholder must be the same.

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

  /** The value itself. It must have been shown before. */
  get known(): string {
    if (this.value === undefined) throw new Error(`this ${this.kind} has no value yet`)
    return this.value
  }
}

export type Resolve = (placeholder: Placeholder) => string

/** A value calculated from placeholders once these have values. */
export class Derived<Value = unknown> {
  readonly from: (resolve: Resolve) => Value

  constructor(from: (resolve: Resolve) => Value) {
    this.from = from
  }

  get known(): Value {
    return this.from((placeholder) => placeholder.known)
  }
}

/** A value of which the model predicts only the shape. */
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

/** Returns the first difference, or undefined; then every placeholder has its value. */
export function unify(expected: unknown, actual: unknown): string | undefined {
  const search: Search = { found: new Map(), derived: [] }
  const fault = differ(expected, actual, 'body', search) ?? differDerived(search)
  if (fault !== undefined) return fault
  for (const [placeholder, value] of search.found) placeholder.value = value
  return undefined
}

function differDerived({ derived, found }: Search): string | undefined {
  const resolve: Resolve = (placeholder) => found.get(placeholder) ?? placeholder.known
  for (const { value, actual, path } of derived) {
    const wanted = value.from(resolve)
    if (wanted !== actual) return describe(path, wanted, actual)
  }
  return undefined
}

function differ(
  expected: unknown,
  actual: unknown,
  path: string,
  search: Search,
): string | undefined {
  if (expected instanceof Placeholder) return differFromKnown(expected, actual, path, search)
  if (expected instanceof Matcher) {
    return expected.fits(actual) ? undefined : describe(path, expected.name, actual)
  }
  if (expected instanceof Derived) {
    search.derived.push({ value: expected, actual, path })
    return undefined
  }
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'object') {
    return expected === actual ? undefined : describe(path, expected, actual)
  }
  if (actual === null || Array.isArray(expected) !== Array.isArray(actual)) {
    return describe(path, expected, actual)
  }
  return differInside(expected, actual, path, search)
}

function differFromKnown(
  placeholder: Placeholder,
  actual: unknown,
  path: string,
  { found }: Search,
): string | undefined {
  const wanted = placeholder.value ?? found.get(placeholder)
  if (wanted !== undefined) return wanted === actual ? undefined : describe(path, wanted, actual)
  if (typeof actual !== 'string' || !placeholder.shape.test(actual)) {
    return describe(path, `a new ${placeholder.kind}`, actual)
  }
  found.set(placeholder, actual)
  return undefined
}

function differInside(
  expected: object,
  actual: object,
  path: string,
  search: Search,
): string | undefined {
  const [wanted, shown] = [Object.keys(expected).sort(), Object.keys(actual).sort()]
  if (wanted.join() !== shown.join()) return describe(`fields of ${path}`, wanted, shown)
  for (const name of wanted) {
    const [one, other] = [expected, actual].map((it) => (it as Record<string, unknown>)[name])
    const fault = differ(one, other, `${path}.${name}`, search)
    if (fault !== undefined) return fault
  }
  return undefined
}

function describe(path: string, expected: unknown, actual: unknown): string {
  return `${path}: the model expects ${plain(expected)}, got ${plain(actual)}`
}

export function plain(value: unknown): string {
  const text = JSON.stringify(value, (_, inner) => {
    if (inner instanceof Placeholder) return inner.value ?? `<${inner.kind}>`
    if (inner instanceof Matcher) return `<${inner.name}>`
    return inner instanceof Derived ? '<derived>' : inner
  })
  return text ?? 'nothing'
}
