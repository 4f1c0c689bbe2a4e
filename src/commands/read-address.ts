// The address of a server, as somebody typed or pasted it.

import { parseWebAddress } from '../primitives/web-address.ts'

/** Without the white space around it and the slashes at its end; undefined if it is none. */
export function readAddress(text: string): string | undefined {
  const address = parseWebAddress(text.trim())
  return 'url' in address ? address.url : undefined
}

/** Whether it names this machine, as far as a name tells. */
export function isThisMachine(url: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
}
