// What is kept of an Idempotency-Key, and of the answer given to it.

export interface AnswerKey {
  /** The account acted on, else the user. */
  scope_id: string
  /** SHA-256 over caller and key: the key itself is never stored. */
  key_hash: Buffer
  /** An HMAC under the key over method, path, query and body. */
  fingerprint: Buffer
  /** Set where the answer holds a secret: it is kept sealed under this, which is not kept. */
  sealing_key?: Buffer
}

export interface KeptAnswer extends AnswerKey {
  status: number
  body: Buffer
}
