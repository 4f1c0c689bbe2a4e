// Looks for many secrets in much text at once, in every form that a program would write them in.

export interface FoundSecret {
  form: string
  at: number
}

/** The forms of a secret, each as it would stand in a file read as Latin-1. */
function formsOf(secret: string): [form: string, text: string][] {
  const bytes = Buffer.from(secret)
  const json = JSON.stringify(secret).slice(1, -1)
  const forms: [string, string][] = [
    ['plain', asLatin1(secret)],
    ['JSON', asLatin1(json)],
    ['JSON in JSON', asLatin1(JSON.stringify(json).slice(1, -1))],
    ['percent-encoded', encodeURIComponent(secret.toWellFormed())],
    ['a form', new URLSearchParams({ '': secret }).toString().slice(1)],
    ['hexadecimal', bytes.toString('hex')],
    ['capital hexadecimal', bytes.toString('hex').toUpperCase()],
  ]
  for (const encoding of ['base64', 'base64url'] as const) {
    for (const shift of [0, 1, 2]) {
      forms.push([`${encoding} after ${shift}`, encodeWithin(bytes, shift, encoding)])
    }
  }
  return forms
}

function asLatin1(text: string): string {
  return Buffer.from(text).toString('latin1')
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

/** A search for all of them at once, made once for many texts. */
export class SecretSearch {
  readonly #needles = new Map<string, Map<string, string>>()
  // Which pairs of bytes a needle begins with: most places in a text are ruled out by this alone.
  readonly #beginnings = new Uint8Array(65_536)

  constructor(secrets: readonly string[]) {
    for (const secret of secrets) {
      for (const [form, needle] of formsOf(secret)) this.#add(form, needle)
    }
  }

  #add(form: string, needle: string): void {
    if (needle.length < key_length) return
    this.#beginnings[pairAt(needle, 0)] = 1
    const key = needle.slice(0, key_length)
    const same = this.#needles.get(key) ?? new Map<string, string>()
    this.#needles.set(key, same.set(needle, form))
  }

  find(text: string): FoundSecret[] {
    const found: FoundSecret[] = []
    for (let at = 0; at + key_length <= text.length; at++) {
      if (this.#beginnings[pairAt(text, at)] === 0) continue
      for (const [needle, form] of this.#needles.get(text.slice(at, at + key_length)) ?? []) {
        if (text.startsWith(needle, at)) found.push({ form, at })
      }
    }
    return found
  }
}

function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at) & 0xff) << 8) | (text.charCodeAt(at + 1) & 0xff)
}
