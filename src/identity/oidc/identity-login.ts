// Logs in a person whom the OpenID Connect provider has identified. Issuer and subject identify the
// user, never the email: the next holder of a mailbox must not become the user. The first login
// links the two, with the password of the user.

import { recordAuditEntry } from '../../audit/record-audit-entry.ts'
import type { Db, Tx } from '../../postgres/database.ts'
import { canonicalEmail } from '../../primitives/email-address.ts'
import { newRealTimeUuid } from '../../primitives/ids.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { openLogin } from '../login/login.ts'
import type { IssuedTokens, Origin } from '../sessions/open-session.ts'
import { findCredentials, lockUser } from '../users/credentials.ts'
import type { UserRow } from '../users/user.ts'
import type { PendingLink } from './attempts.ts'
import type { ProviderIdentity } from './provider.ts'
import { insertIdentity, selectIdentitiesOfUser, selectIdentity } from './queries.ts'

/** unknown: no user may log in with it. unverified: the provider has not verified the email. */
type IdentityRefusal = 'unknown' | 'unverified' | 'inactive'

type IdentityLogin =
  | { tokens: IssuedTokens }
  | { refused: IdentityRefusal }
  | { link: Omit<PendingLink, 'step' | 'next'> }

/** The provider stands for the second factor too: see docs/guides/oidc-login.md. */
export async function logInWithIdentity(
  db: Db,
  identity: ProviderIdentity,
  origin: Origin,
): Promise<IdentityLogin> {
  const linked = await selectIdentity(db, identity.issuer, identity.subject)
  if (linked === undefined) return findUserToLink(db, identity)
  return db.transaction(async (tx) => {
    const user = await lockUser(tx, linked.user_id)
    const refused = refusalOf(user)
    if (refused !== undefined) return { refused }
    const attempt = { email_canonical: canonicalEmail(user!.email), address: origin.address }
    return { tokens: await openLogin(tx, user!, attempt, origin) }
  })
}

async function findUserToLink(
  db: Db,
  { issuer, subject, email, email_verified }: ProviderIdentity,
): Promise<IdentityLogin> {
  if (email === undefined) return { refused: 'unknown' }
  if (!email_verified) return { refused: 'unverified' }
  const found = await findCredentials(db, canonicalEmail(email))
  if (found === undefined) return { refused: 'unknown' }
  return db.transaction(async (tx) => {
    const refused = refusalOf(await lockUser(tx, found.id))
    if (refused !== undefined) return { refused }
    return { link: { issuer, subject, user_id: found.id, email } }
  })
}

// Admins and platforms reach every account, so their login must not depend on another service.
function refusalOf(user: UserRow | undefined): IdentityRefusal | undefined {
  if (user === undefined || user.role === 'admin' || user.role === 'platform') return 'unknown'
  return user.status === 'active' ? undefined : 'inactive'
}

// More than the providers and accounts of one person. Bounds the list, which has no pages.
const identities_max = 10

/** Links the identity to the user who has just logged in with the password. */
export async function linkIdentity(
  db: Db,
  request_id: string,
  link: PendingLink,
  user_id: string,
): Promise<void> {
  // The email belongs to another user since the link was offered.
  if (user_id !== link.user_id) throw notLinked()
  await db.transaction(async (tx) => {
    const user = await lockUser(tx, user_id)
    if (refusalOf(user) !== undefined) throw notLinked()
    await addIdentity(tx, user!, link, request_id)
  })
}

async function addIdentity(
  tx: Tx,
  user: UserRow,
  { issuer, subject, email }: PendingLink,
  request_id: string,
): Promise<void> {
  const others = await selectIdentitiesOfUser(tx, user.id)
  if (others.length >= identities_max) throw notLinked()
  const id = newRealTimeUuid(Date.now())
  if (!(await insertIdentity(tx, { issuer, subject, id, user_id: user.id, email }))) {
    throw notLinked()
  }
  const actor = { role: user.role, user_id: user.id, request_id }
  await recordAuditEntry(tx, actor, {
    action: 'user.identity_linked',
    object_id: user.id,
    account_id: user.account_id,
    details: { issuer },
  })
}

function notLinked(): Refusal {
  return new Refusal('conflict', 'This login cannot be linked to this user. Start again.')
}
