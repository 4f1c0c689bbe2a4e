// The address of a server, as somebody typed or pasted it.

import { parseWebAddress } from '../primitives/web-address.ts'

/** Without the white space around it and the slashes at its end; undefined if it is none. */
export function readAddress(text: string): string | undefined {
  const address = parseWebAddress(text.trim())
  return 'url' in address ? address.url : undefined
}
