// What is kept of an Idempotency-Key, and of the answer given to it.

export interface IdempotencyKey {
  /** The account acted on, else the user. */
  scope_id: string
  /** SHA-256 over caller and key: the key itself is never stored. */
  key_hash: Buffer
  /** An HMAC under the key over method, path, query and body. */
  fingerprint: Buffer
  /** Made from the key when a secret is sealed or opened, and never stored. */
  sealingKey(): Buffer
}

export interface StoredResponse extends Omit<IdempotencyKey, 'sealingKey'> {
  status: number
  body: Buffer
}
