// JSON takes 1e400 and JavaScript reads it as Infinity, which is written as null; and null deletes.

/** Where a number stands that is none, as `metadata.sizes.1`; undefined if all are good. */
export function findInfinite(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : ''
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const found = findInfinite(inner)
    if (found !== undefined) return found === '' ? name : `${name}.${found}`
  }
  return undefined
}

/** What to say of it. */
export function explainInfinite(name: string): string {
  return `${name} is beyond what a number can hold; send it as text.`
}
