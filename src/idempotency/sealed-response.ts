// An answer that holds a secret is kept sealed under a key that only the Idempotency-Key gives,
// whose plain text is stored nowhere. Whoever sends the request again has it; whoever reads the
// database has not.

import { hkdfSync } from 'node:crypto'
import { seal, unseal } from '../primitives/seal.ts'

/** What the sealed bytes are bound to: the answer to another key does not open. */
export interface SealPlace {
  scope_id: string
  key_hash: Buffer
}

/** Salted by what the row is kept under, so that one key gives every caller another seal. */
export function deriveSealingKey(idempotency_key: string, place: SealPlace): Buffer {
  const info = 'florin sealed answer 1'
  return Buffer.from(hkdfSync('sha256', idempotency_key, place.key_hash, info, 32))
}

export function sealResponse(sealing_key: Buffer, place: SealPlace, body: string): Buffer {
  return seal(sealing_key, boundTo(place), body)
}

export function unsealResponse(sealing_key: Buffer, place: SealPlace, kept: Buffer): Buffer {
  return unseal(sealing_key, boundTo(place), kept)
}

function boundTo({ scope_id, key_hash }: SealPlace): Buffer {
  return Buffer.concat([Buffer.from(scope_id), key_hash])
}
