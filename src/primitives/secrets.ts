// Tokens and keys: 256 random bits, stored only as their SHA-256. A fast hash is enough because 256
// random bits cannot be guessed. Passwords need a slow hash and are never hashed here.

import { hash, randomFillSync } from 'node:crypto'

const secret_bytes = 32

// Random bytes for 64 secrets are fetched at once: 0.3 µs per secret instead of 2.6 µs, and every
// payment request needs one for its link. Used bytes are zeroed.
const pool = Buffer.alloc(64 * secret_bytes)
let pool_next = pool.length

/** The prefix identifies the kind for people and secret scanners; 43 characters follow it. */
export function newSecret(prefix: string): string {
  if (pool_next === pool.length) {
    randomFillSync(pool)
    pool_next = 0
  }
  const start = pool_next
  pool_next += secret_bytes
  const secret = prefix + pool.toString('base64url', start, pool_next)
  pool.fill(0, start, pool_next)
  return secret
}

/**
 * Runs for every request. One-shot `hash` to a string takes 0.6 µs with the copy into a pooled
 * Buffer; `hash` to a new Buffer takes 1.3 µs, and `createHash` 2.8 µs.
 */
export function sha256(text: string): Buffer {
  return Buffer.from(hash('sha256', text, 'binary'), 'binary')
}
