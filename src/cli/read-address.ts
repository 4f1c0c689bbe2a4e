// Reads a server URL that a user typed or pasted.

import { parseWebAddress } from '../server-urls.ts'

/** Trims white space and trailing slashes; undefined if the text is not a URL. */
export function readAddress(text: string): string | undefined {
  const address = parseWebAddress(text.trim())
  return 'url' in address ? address.url : undefined
}

/** Whether the host name is a loopback name or address. */
export function isThisMachine(url: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
}
