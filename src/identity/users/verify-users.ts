// Checks that every user has a claim on their email address, and that every token belongs to a live
// session of an active user with the same account and role.

import { listClosings } from '../../ledger/closings.ts'
import type { Queryable } from '../../postgres/database.ts'
import { type AccountRange, type Difference, differences_max } from '../../postgres/difference.ts'
import { toTypeId } from '../../primitives/ids.ts'
import { verifyKeys } from '../api-keys/verify-keys.ts'
import { listTokensWithSessions, type TokenWithSession } from '../sessions/list-sessions.ts'
import type { UserRow } from './user.ts'
import {
  type AccountUserFacts,
  type BrokenClaim,
  countByStatus,
  selectAccountUserFacts,
  selectBrokenClaims,
  selectUserRoles,
} from './verify-queries.ts'

export type { AccountUserFacts } from './verify-queries.ts'

export const countUsersByStatus = countByStatus

/** The users of the accounts in a range. */
export function listAccountUserFacts(
  db: Queryable,
  range: AccountRange,
): Promise<AccountUserFacts[]> {
  return selectAccountUserFacts(db, range)
}

export async function verifyClaims(db: Queryable): Promise<Difference[]> {
  // The addresses of members are free as soon as their account is closed.
  const broken = await selectBrokenClaims(db, await listClosings(db), differences_max)
  return broken.map(checkClaim)
}

function checkClaim({ id, email_canonical, claimed_by }: BrokenClaim): Difference {
  return {
    rule: 'emails_are_claimed',
    account_id: null,
    object: email_canonical,
    found: claimed_by === null ? 'not claimed' : `claimed by ${toTypeId('user', claimed_by)}`,
    expected: `claimed by ${toTypeId('user', id)}`,
  }
}

/** The creator of a live API key must be active. */
export function verifyKeysAndCreators(db: Queryable): Promise<Difference[]> {
  return verifyKeys(db, async (ids) => {
    const users = ids.length === 0 ? [] : await selectUserRoles(db, ids)
    return new Set(users.filter(({ status }) => status === 'active').map(({ id }) => id))
  })
}

const tokens_at_once = 1_000

export async function verifyTokens(db: Queryable): Promise<Difference[]> {
  const differences: Difference[] = []
  for await (const tokens of listTokensWithSessions(db, tokens_at_once)) {
    const ids = [...new Set(tokens.flatMap(({ user_id }) => user_id ?? []))]
    const users = await selectUserRoles(db, ids)
    const user_of = new Map(users.map((user) => [user.id, user]))
    differences.push(
      ...tokens.flatMap((token) => checkToken(token, user_of.get(token.user_id ?? ''))),
    )
    if (differences.length >= differences_max) break
  }
  return differences.slice(0, differences_max)
}

function checkToken(
  token: TokenWithSession,
  user: Pick<UserRow, 'account_id' | 'role' | 'status'> | undefined,
): Difference[] {
  if (token.is_revoked) return []
  const { session } = token
  const account_id = session?.account_id ? toTypeId('account', session.account_id) : null
  const object = `a token of ${toTypeId('session', token.principal_id)}`
  if (session === null || session.user_id !== token.user_id) {
    const found = 'no such session of this user'
    return [{ rule: 'tokens_have_a_session', account_id, object, found, expected: 'a session' }]
  }
  const found = user ? `${user.status} ${user.role} of ${account(user.account_id)}` : 'no such user'
  const expected = `active ${session.role} of ${account(session.account_id)}`
  if (found === expected) return []
  return [{ rule: 'tokens_agree_with_user', account_id, object, found, expected }]
}

function account(id: string | null): string {
  return id === null ? 'no account' : toTypeId('account', id)
}
