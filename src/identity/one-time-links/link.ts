// Links that work once, for a limited time, for one user. The token has 256 random bits; only its
// hash is stored. A link is bound to the email and password of its user: changing either
// invalidates it.

import type { Queryable, Tx } from '../../postgres/database.ts'
import { type Sweep, sweepRows } from '../../postgres/sweep.ts'
import { canonicalEmail } from '../../primitives/email-address.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { newSecret, sha256 } from '../../primitives/secrets.ts'
import {
  deleteLinksOfUser,
  insertLink,
  type LinkKind,
  type LinkRow,
  old_links,
  selectLink,
} from './queries.ts'

/** The language and time zone of the email with the link. */
export interface LinkLocale {
  language: string
  timezone: string
}

export const default_locale: LinkLocale = { language: 'en', timezone: 'UTC' }

interface LinkUser {
  id: string
  email: string
  password_hash: string
}

/** Returns the token. `expires_at` is real time, like that of sessions. */
export async function createLink(
  tx: Tx,
  kind: LinkKind,
  user: LinkUser,
  { language, timezone }: LinkLocale,
  expires_at: Date,
): Promise<string> {
  const token = newSecret('')
  await insertLink(tx, {
    token_hash: sha256(token),
    kind,
    user_id: user.id,
    user_fingerprint: fingerprintOf(user),
    language,
    timezone,
    expires_at,
  })
  return token
}

/** The link that was not used yet and has not expired. Its user may have changed since. */
export function findLink(
  db: Queryable,
  kind: LinkKind,
  token: string,
): Promise<LinkRow | undefined> {
  return selectLink(db, kind, sha256(token), new Date())
}

/** Whether the user still has the email and the password that the link was created for. */
export function isBoundTo(link: LinkRow, user: LinkUser): boolean {
  return link.user_fingerprint.equals(fingerprintOf(user))
}

function fingerprintOf({ email, password_hash }: LinkUser): Buffer {
  return sha256(`${canonicalEmail(email)}\n${password_hash}`)
}

/** Invalidates all links of the user. The user's row must be locked: a link works once. */
export async function deleteLinks(tx: Tx, user_id: string): Promise<void> {
  await deleteLinksOfUser(tx, user_id)
}

/** Names this installation in emails. */
export function serviceName(public_url: string): string {
  return new URL(public_url).host
}

export function invalidLink(): Refusal {
  return new Refusal('not_found', 'This link is invalid, expired or already used.')
}

/** Verification links are deleted with their users: see operations/delete-unverified.ts. */
export const sweepLinks: Sweep = (db, signal) => sweepRows(db, [old_links], signal)
