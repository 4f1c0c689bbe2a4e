// The identities of a user at an OpenID Connect provider, and what deletes them.

import { recordAuditEntry } from '../../audit/record-audit-entry.ts'
import { changeOnce } from '../../idempotency/change-once.ts'
import type { Db, Tx } from '../../postgres/database.ts'
import { findUuid, timeOfUuid, toTypeId } from '../../primitives/ids.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { toIso } from '../../primitives/time.ts'
import type { Caller } from '../caller.ts'
import { actorOf } from '../sessions/actor.ts'
import { requireLiveToken } from '../sessions/require-live-token.ts'
import {
  deleteIdentitiesOfUsers,
  deleteIdentity,
  type IdentityRow,
  selectIdentitiesOfUser,
} from './queries.ts'

interface Identity {
  id: string
  issuer: string
  email: string
  created_at: string
}

function presentIdentity({ id, issuer, email }: IdentityRow): Identity {
  return {
    id: toTypeId('identity', id),
    issuer,
    email,
    created_at: toIso(timeOfUuid(id)),
  }
}

export async function listIdentities(db: Db, caller: Caller) {
  const rows = await selectIdentitiesOfUser(db, caller.user_id)
  return { object: 'list' as const, data: rows.map(presentIdentity), has_more: false }
}

/** A malformed id is rejected before the body is validated. */
export function requireIdentityId(text: string): string {
  const id = findUuid('identity', text)
  if (id === undefined) throw unknownIdentity()
  return id
}

/** Sessions stay: they end with a password change, or one by one. */
export async function unlinkIdentity(
  db: Db,
  caller: Caller,
  text: string,
): Promise<{ message: string; id: string }> {
  const id = requireIdentityId(text)
  return changeOnce(db, caller.idempotency, async (tx) => {
    await requireLiveToken(tx, caller)
    const row = await deleteIdentity(tx, caller.user_id, id)
    if (row === undefined) throw unknownIdentity()
    await recordAuditEntry(tx, actorOf(caller), {
      action: 'user.identity_unlinked',
      object_id: caller.user_id,
      account_id: caller.account_id,
      details: { issuer: row.issuer },
    })
    return { message: 'The login has been unlinked.', id: toTypeId('identity', id) }
  })
}

/** For users that are being deleted. */
export async function deleteIdentitiesOf(tx: Tx, user_ids: string[]): Promise<void> {
  await deleteIdentitiesOfUsers(tx, user_ids)
}

function unknownIdentity(): Refusal {
  return new Refusal('not_found', 'You have no linked login with this id.')
}
