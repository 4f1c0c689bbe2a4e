// Text as a shell takes it for one word, and for nothing else.

export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** For people to copy: what means only itself stays as they wrote it. */
export function quoteIfNeeded(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : quote(text)
}
