// An answer with a secret in it is kept sealed, under a key that only the Idempotency-Key gives.
// That key is never stored, so whoever reads the database finds nothing, and whoever sends the
// request again gets the same answer. A caller whose keys can be guessed weakens only the own seal.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { AnswerKey } from './answer-key.ts'

// An answer in the clear is JSON and begins with `{`; this byte says that it is sealed, and how.
const version = 1
const nonce_bytes = 12
const tag_bytes = 16
const purpose = 'florin kept answer 1'

/** Bound to the very request: the salt is what is kept of the key and of the request. */
export function sealingKey(idempotency_key: string, key: AnswerKey): Buffer {
  const salt = Buffer.concat([key.key_hash, key.fingerprint])
  return Buffer.from(hkdfSync('sha256', idempotency_key, salt, purpose, 32))
}

export function sealAnswer(sealing_key: Buffer, body: Buffer): Buffer {
  const nonce = randomBytes(nonce_bytes)
  const cipher = createCipheriv('aes-256-gcm', sealing_key, nonce)
  const sealed = Buffer.concat([cipher.update(body), cipher.final()])
  return Buffer.concat([Buffer.from([version]), nonce, sealed, cipher.getAuthTag()])
}

/** Throws when it was changed since, or sealed under another key. */
export function openAnswer(sealing_key: Buffer, kept: Buffer): Buffer {
  if (kept[0] !== version) throw new Error('a kept answer that must be sealed is not')
  const nonce = kept.subarray(1, 1 + nonce_bytes)
  const decipher = createDecipheriv('aes-256-gcm', sealing_key, nonce)
  decipher.setAuthTag(kept.subarray(-tag_bytes))
  const sealed = kept.subarray(1 + nonce_bytes, -tag_bytes)
  return Buffer.concat([decipher.update(sealed), decipher.final()])
}
