// An answer that holds a secret is kept sealed under a key that only the Idempotency-Key gives,
// whose plain text is stored nowhere. Whoever sends the request again has it; whoever reads the
// database has not.

import { hkdfSync } from 'node:crypto'
import { seal, unseal } from '../primitives/seal.ts'

/** What the sealed bytes are bound to: the answer to another key does not open. */
export interface SealContext {
  scope_id: string
  key_hash: Buffer
}

/** Salted by what the row is kept under, so that one key gives every caller another seal. */
export function deriveSealingKey(idempotency_key: string, seal_context: SealContext): Buffer {
  const info = 'florin sealed response 1'
  return Buffer.from(hkdfSync('sha256', idempotency_key, seal_context.key_hash, info, 32))
}

export function sealResponse(sealing_key: Buffer, seal_context: SealContext, body: string): Buffer {
  return seal(sealing_key, boundTo(seal_context), body)
}

export function unsealResponse(
  sealing_key: Buffer,
  seal_context: SealContext,
  kept: Buffer,
): Buffer {
  return unseal(sealing_key, boundTo(seal_context), kept)
}

function boundTo({ scope_id, key_hash }: SealContext): Buffer {
  return Buffer.concat([Buffer.from(scope_id), key_hash])
}
