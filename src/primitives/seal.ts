// Text that only a key opens: AES-256-GCM, with a version before it and a nonce of its own.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

// JSON never begins with this byte.
const version = 1
const nonce_bytes = 12
const tag_bytes = 16

/** The key has 32 bytes. What the text is bound to must be given again to open it. */
export function seal(key: Buffer, bound_to: Buffer, text: string): Buffer {
  const nonce = randomBytes(nonce_bytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bound_to)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), sealed])
}

export function isSealed(kept: Buffer): boolean {
  return kept[0] === version
}

/** Throws when the key or what it is bound to is another. */
export function unseal(key: Buffer, bound_to: Buffer, kept: Buffer): Buffer {
  const nonce = kept.subarray(1, 1 + nonce_bytes)
  const tag = kept.subarray(1 + nonce_bytes, 1 + nonce_bytes + tag_bytes)
  const sealed = kept.subarray(1 + nonce_bytes + tag_bytes)
  const cipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tag_bytes })
  cipher.setAAD(bound_to).setAuthTag(tag)
  return Buffer.concat([cipher.update(sealed), cipher.final()])
}
