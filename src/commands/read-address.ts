// The address of a server, as somebody typed or pasted it.

/** Without the white space around it and the slashes at its end; undefined if it is none. */
export function readAddress(text: string): string | undefined {
  const trimmed = text.trim()
  const url = URL.parse(trimmed)
  // URL leaves line ends and tabs out wherever they stand; who asks for the address would not.
  const plain = url && !url.search && !url.hash && !url.username && !/\s/.test(trimmed)
  if (!plain || !/^https?:$/.test(url.protocol)) return undefined
  return trimmed.replace(/\/+$/, '')
}
