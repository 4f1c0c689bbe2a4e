// An answer that holds a secret is kept sealed: AES-256-GCM under a key that only the
// Idempotency-Key gives, whose plain text is stored nowhere. Whoever sends the request again has
// it; whoever reads the database has not.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** What the sealed bytes are bound to: the answer to another key does not open. */
export interface SealPlace {
  scope_id: string
  key_hash: Buffer
}

// Answers are JSON and never begin with this byte.
const version = 1
const nonce_bytes = 12
const tag_bytes = 16

/** Salted by what the row is kept under, so that one key gives every caller another seal. */
export function deriveSealingKey(idempotency_key: string, place: SealPlace): Buffer {
  const info = 'florin sealed answer 1'
  return Buffer.from(hkdfSync('sha256', idempotency_key, place.key_hash, info, 32))
}

export function sealAnswer(sealing_key: Buffer, place: SealPlace, body: string): Buffer {
  const nonce = randomBytes(nonce_bytes)
  const cipher = createCipheriv('aes-256-gcm', sealing_key, nonce).setAAD(boundTo(place))
  const sealed = Buffer.concat([cipher.update(body, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), sealed])
}

export function isSealed(kept: Buffer): boolean {
  return kept[0] === version
}

export function openAnswer(sealing_key: Buffer, place: SealPlace, kept: Buffer): Buffer {
  const nonce = kept.subarray(1, 1 + nonce_bytes)
  const tag = kept.subarray(1 + nonce_bytes, 1 + nonce_bytes + tag_bytes)
  const sealed = kept.subarray(1 + nonce_bytes + tag_bytes)
  const cipher = createDecipheriv('aes-256-gcm', sealing_key, nonce, { authTagLength: tag_bytes })
  cipher.setAAD(boundTo(place)).setAuthTag(tag)
  return Buffer.concat([cipher.update(sealed), cipher.final()])
}

function boundTo({ scope_id, key_hash }: SealPlace): Buffer {
  return Buffer.concat([Buffer.from(scope_id), key_hash])
}
