// What Florin remembers of a browser between two steps of a login: bound to a cookie, for ten
// minutes, and used once. It is stored encrypted with a key that is derived from the cookie, so
// reading the table neither completes a login nor links an identity.

import { hkdfSync } from 'node:crypto'
import type { Db } from '../../postgres/database.ts'
import { type Sweep, sweepRows } from '../../postgres/sweep.ts'
import { newSecret, seal, sha256, unseal } from '../../primitives/secrets.ts'
import { deleteAttempt, expired_attempts, insertAttempt, selectAttempt } from './queries.ts'

export const attempt_lifetime_s = 600

/** The browser was sent to the provider. */
export interface StartedLogin {
  step: 'started'
  state: string
  nonce: string
  code_verifier: string
  /** The page of the dashboard to open at the end. */
  next: string
}

/** The provider has identified a person whose verified email is that of this user. */
export interface PendingLink {
  step: 'link'
  issuer: string
  subject: string
  user_id: string
  email: string
  next: string
}

type Attempt = StartedLogin | PendingLink

/** Returns the value of the cookie. */
export async function storeAttempt(db: Db, attempt: Attempt): Promise<string> {
  const cookie = newSecret('fol_')
  const cookie_hash = sha256(cookie)
  await insertAttempt(db, {
    cookie_hash,
    sealed: seal(sealingKey(cookie, cookie_hash), cookie_hash, JSON.stringify(attempt)),
    expires_at: new Date(Date.now() + attempt_lifetime_s * 1_000),
  })
  return cookie
}

const cookieShape = /^fol_[A-Za-z0-9_-]{43}$/

export async function findAttempt<Step extends Attempt['step']>(
  db: Db,
  cookie: string | undefined,
  step: Step,
): Promise<Extract<Attempt, { step: Step }> | undefined> {
  if (cookie === undefined || !cookieShape.test(cookie)) return undefined
  const cookie_hash = sha256(cookie)
  const row = await selectAttempt(db, cookie_hash, new Date())
  if (row === undefined) return undefined
  const text = unseal(sealingKey(cookie, cookie_hash), cookie_hash, row.sealed).toString('utf8')
  const attempt: Attempt = JSON.parse(text)
  return attempt.step === step ? (attempt as Extract<Attempt, { step: Step }>) : undefined
}

/** Ends the attempt. Returns false if it has already ended: then the caller must not continue. */
export function endAttempt(db: Db, cookie: string): Promise<boolean> {
  return deleteAttempt(db, sha256(cookie))
}

export const sweepOidcAttempts: Sweep = (db, signal) => sweepRows(db, [expired_attempts], signal)

function sealingKey(cookie: string, cookie_hash: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', cookie, cookie_hash, 'florin oidc attempt 1', 32))
}
