// Searches text for many secrets at once, in every encoding in which a program might write them.

interface FoundSecret {
  form: string
  at: number
}

/** Returns the encodings of a secret, each as it appears in a file read as Latin-1. */
function formsOf(secret: string): [form: string, text: string][] {
  const bytes = Buffer.from(secret)
  const json = JSON.stringify(secret).slice(1, -1)
  const forms: [string, string][] = [
    ['plain', asLatin1(secret)],
    ['JSON', asLatin1(json)],
    ['JSON in JSON', asLatin1(JSON.stringify(json).slice(1, -1))],
    ['percent-encoded', encodeURIComponent(secret.toWellFormed())],
    ['form-encoded', new URLSearchParams({ '': secret }).toString().slice(1)],
    ['hexadecimal', bytes.toString('hex')],
    ['uppercase hexadecimal', bytes.toString('hex').toUpperCase()],
  ]
  for (const encoding of ['base64', 'base64url'] as const) {
    for (const shift of [0, 1, 2]) {
      forms.push([`${encoding} at offset ${shift}`, encodeWithin(bytes, shift, encoding)])
    }
  }
  return forms
}

function asLatin1(text: string): string {
  return Buffer.from(text).toString('latin1')
}

/**
 * Returns the part of the secret's base64 that does not depend on its neighbors, when `shift` bytes
 * (modulo three) precede it. Each character has six bits, so the outer ones mix in neighbor bits.
 */
function encodeWithin(bytes: Buffer, shift: number, encoding: 'base64' | 'base64url'): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString(encoding)
  const first = Math.ceil((shift * 8) / 6)
  const last = Math.floor(((shift + bytes.length) * 8) / 6)
  return text.slice(first, last)
}

// Each needle is looked up by its prefix. A shorter prefix would cause chance matches.
const key_length = 8
// A hundred thousand needles then fill a few percent of the table.
const prefix_bits = 22

/** Searches for all secrets at once. Built once and reused for many texts. */
export class SecretSearch {
  readonly #needles = new Map<string, Map<string, string>>()
  // Byte pairs with which any needle starts, and hashes of the prefixes. They rule out nearly all
  // positions of a text, so few prefixes are looked up.
  readonly #first_pairs = new Uint8Array(65_536)
  readonly #prefixes = new Uint8Array(2 ** prefix_bits)

  constructor(secrets: readonly string[]) {
    for (const secret of secrets) {
      for (const [form, needle] of formsOf(secret)) this.#add(form, needle)
    }
  }

  #add(form: string, needle: string): void {
    if (needle.length < key_length) return
    this.#first_pairs[pairAt(needle, 0)] = 1
    this.#prefixes[prefixHashAt(needle, 0)] = 1
    const key = needle.slice(0, key_length)
    const same = this.#needles.get(key) ?? new Map<string, string>()
    this.#needles.set(key, same.set(needle, form))
  }

  find(text: string): FoundSecret[] {
    const found: FoundSecret[] = []
    for (let at = 0; at + key_length <= text.length; at++) {
      if (this.#first_pairs[pairAt(text, at)] === 0) continue
      if (this.#prefixes[prefixHashAt(text, at)] === 0) continue
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

function prefixHashAt(text: string, start: number): number {
  let hash = 0
  for (let at = start; at < start + key_length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x9e3779b1)
    hash ^= hash >>> 15
  }
  return hash >>> (32 - prefix_bits)
}
