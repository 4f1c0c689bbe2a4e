// JavaScript parses 1e400 in JSON as Infinity and serializes it as null, which deletes a field.

/** The path of the first infinite number, such as `metadata.sizes.1`. */
export function findInfinite(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : ''
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const found = findInfinite(inner)
    if (found !== undefined) return found === '' ? name : `${name}.${found}`
  }
  return undefined
}

export function explainInfinite(name: string): string {
  return `"${name}" is too large for a number. Send it as a string.`
}
