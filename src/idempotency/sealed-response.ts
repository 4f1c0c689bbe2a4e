// Encrypts stored responses that contain a secret, with a key that is derived from the
// Idempotency-Key. The Idempotency-Key is not stored, so a reader of the database cannot decrypt
// them; a client that repeats the request sends it again.

import { hkdfSync } from 'node:crypto'
import { seal, unseal } from '../primitives/secrets.ts'

/** Authenticated with the response, so that it cannot be replayed for another key. */
interface SealContext {
  scope_id: string
  key_hash: Buffer
}

/** The salt depends on the caller, so that two callers with the same key get different results. */
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
  stored: Buffer,
): Buffer {
  return unseal(sealing_key, boundTo(seal_context), stored)
}

function boundTo({ scope_id, key_hash }: SealContext): Buffer {
  return Buffer.concat([Buffer.from(scope_id), key_hash])
}
