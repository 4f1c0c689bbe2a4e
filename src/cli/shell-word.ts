// Quotes text as a single shell word.

export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Leaves text without special characters unquoted, which is easier to read and copy. */
export function quoteIfNeeded(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : quote(text)
}
