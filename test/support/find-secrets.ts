// Looks for many secrets in much text at once, in every form that a program would write them in.

export interface FoundSecret {
  form: string
  at: number
}

/** The forms of a secret, each as it would stand in a file read as Latin-1. */
export function formsOf(secret: string): [form: string, text: string][] {
  const bytes = Buffer.from(secret)
  const forms: [string, string][] = [
    ['plain', bytes.toString('latin1')],
    ['JSON', Buffer.from(JSON.stringify(secret).slice(1, -1)).toString('latin1')],
    ['JSON in JSON', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    ['percent-encoded', encodeURIComponent(secret.toWellFormed())],
    ['hexadecimal', bytes.toString('hex')],
    ['capital hexadecimal', bytes.toString('hex').toUpperCase()],
    ['backwards', [...secret].reverse().join('')],
  ]
  for (const encoding of ['base64', 'base64url'] as const) {
    for (const shift of [0, 1, 2]) {
      forms.push([`${encoding} after ${shift}`, encodeWithin(bytes, shift, encoding)])
    }
  }
  return forms
}

/**
 * What of the secret's base64 is the same whatever stands around it, when `shift` bytes (modulo
 * three) stand before it: each character holds six bits, so those at the edges are shared.
 */
function encodeWithin(bytes: Buffer, shift: number, encoding: 'base64' | 'base64url'): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString(encoding)
  const first = Math.ceil((shift * 8) / 6)
  const last = Math.floor(((shift + bytes.length) * 8) / 6)
  return text.slice(first, last)
}

// Every needle is looked up by its beginning. A shorter one would be found by chance.
const key_length = 8

export function findSecrets(text: string, secrets: readonly string[]): FoundSecret[] {
  const needles = new Map<string, Map<string, string>>()
  // Which pairs of bytes a needle begins with: most places in the text are ruled out by this alone.
  const beginnings = new Uint8Array(65_536)
  for (const secret of secrets) {
    for (const [form, needle] of formsOf(secret)) {
      if (needle.length < key_length) continue
      beginnings[pairAt(needle, 0)] = 1
      const key = needle.slice(0, key_length)
      const same = needles.get(key) ?? new Map<string, string>()
      needles.set(key, same.set(needle, form))
    }
  }
  const found: FoundSecret[] = []
  for (let at = 0; at + key_length <= text.length; at++) {
    if (beginnings[pairAt(text, at)] === 0) continue
    for (const [needle, form] of needles.get(text.slice(at, at + key_length)) ?? []) {
      if (text.startsWith(needle, at)) found.push({ form, at })
    }
  }
  return found
}

function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at) & 0xff) << 8) | (text.charCodeAt(at + 1) & 0xff)
}
