// Authenticated encryption with AES-256-GCM. Format: version byte, nonce, tag, ciphertext.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

// JSON never starts with this byte.
const version = 1
const nonce_bytes = 12
const tag_bytes = 16

/** The key has 32 bytes. `bound_to` is authenticated and must be passed to `unseal` again. */
export function seal(key: Buffer, bound_to: Buffer, text: string): Buffer {
  const nonce = randomBytes(nonce_bytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bound_to)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), sealed])
}

export function isSealed(stored: Buffer): boolean {
  return stored[0] === version
}

/** Throws if the key or `bound_to` differs. */
export function unseal(key: Buffer, bound_to: Buffer, stored: Buffer): Buffer {
  const nonce = stored.subarray(1, 1 + nonce_bytes)
  const tag = stored.subarray(1 + nonce_bytes, 1 + nonce_bytes + tag_bytes)
  const sealed = stored.subarray(1 + nonce_bytes + tag_bytes)
  const cipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tag_bytes })
  cipher.setAAD(bound_to).setAuthTag(tag)
  return Buffer.concat([cipher.update(sealed), cipher.final()])
}
