// An Idempotency-Key and the response that is stored for it.

export interface IdempotencyKey {
  /** The account that the caller acts on, otherwise the user. */
  scope_id: string
  /** SHA-256 over caller and key. The key itself is never stored. */
  key_hash: Buffer
  /** HMAC of method, path, query and body, with the key. */
  fingerprint: Buffer
  /** Derives the encryption key for responses with a secret. Never stored. */
  sealingKey(): Buffer
}

export interface StoredResponse extends Omit<IdempotencyKey, 'sealingKey'> {
  status: number
  body: Buffer
}
