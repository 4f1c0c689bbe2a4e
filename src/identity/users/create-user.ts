// POST /v1/users: sign-up creates a lone user, the owner of an account a member, and admins and
// platforms either.

import { changeOnce } from '../../idempotency/change-once.ts'
import type { AccountLock } from '../../ledger/lock-row.ts'
import type { Db, Tx } from '../../postgres/database.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { findActingAccount, lockOpenAccount } from '../acting-account.ts'
import type { Caller } from '../caller.ts'
import type { LinkLocale } from '../one-time-links/link.ts'
import {
  requestVerification,
  resendVerification,
  type SignUpPolicy,
} from '../one-time-links/verify-email.ts'
import { actorOf, anonymous } from '../sessions/actor.ts'
import { requireLiveToken } from '../sessions/require-live-token.ts'
import { addUser, requireFreeEmail } from './add-user.ts'
import { type HashingClient, hashPassword } from './password.ts'
import { type PasswordPolicy, requireAcceptablePassword } from './password-policy.ts'
import { countUsersOfAccount } from './queries.ts'
import { presentUser, type User, type UserStatus } from './user.ts'

interface UserInput {
  email: string
  password: string
  name?: string | null
}

/** A client that signs up without a token. */
export interface SignUpClient {
  request_id: string
  client: HashingClient
  /** Throws if there were too many sign-ups from the same IP address. */
  count(): void
  policy: SignUpPolicy
}

export async function signUp(
  db: Db,
  requester: SignUpClient,
  input: UserInput,
  policy: PasswordPolicy,
): Promise<User> {
  requireAcceptablePassword(input.password, policy, input.email)
  await admitSignUp(db, input.email, requester)
  const user = await hashed(input, requester.client)
  const actor = anonymous(requester.request_id)
  const status = statusAfterSignUp(requester.policy)
  const row = await db.transaction(async (tx) => {
    const added = await addUser(tx, actor, undefined, { ...user, role: 'lone', status })
    await verifyAfterSignUp(tx, requester.policy, { ...user, id: added.id })
    return added
  })
  return presentUser(row)
}

/**
 * Runs before hashing, which is expensive. The response reveals an existing email in any case. A
 * pending user with this email gets another verification link.
 */
export async function admitSignUp(
  db: Db,
  email: string,
  { count, policy }: Pick<SignUpClient, 'count' | 'policy'>,
): Promise<void> {
  try {
    await requireFreeEmail(db, email)
  } catch (error) {
    if (policy !== 'active_at_once') await resendVerification(db, email, policy.verified_under)
    throw error
  }
  count()
}

export function statusAfterSignUp(policy: SignUpPolicy): UserStatus {
  return policy === 'active_at_once' ? 'active' : 'pending'
}

/** Queues the verification email of a pending user, in the transaction of the sign-up. */
export async function verifyAfterSignUp(
  tx: Tx,
  policy: SignUpPolicy,
  user: { id: string; email: string; password_hash: string },
  locale?: LinkLocale,
): Promise<void> {
  if (policy === 'active_at_once') return
  await requestVerification(tx, user, policy.verified_under, locale)
}

export async function createUser(
  db: Db,
  caller: Caller,
  input: UserInput,
  policy: PasswordPolicy,
  client: HashingClient,
): Promise<User> {
  // The body is validated before the account in the header is looked up.
  requireAcceptablePassword(input.password, policy, input.email)
  const account_id = findActingAccount(caller)
  const created_by_key_id = caller.kind === 'api_key' ? caller.principal_id : null
  const user = { ...(await hashed(input, client)), created_by_key_id }
  return changeOnce(db, caller.idempotency, async (tx) => {
    if (account_id === undefined) {
      await requireLiveToken(tx, caller)
      return presentUser(await addUser(tx, actorOf(caller), undefined, { ...user, role: 'lone' }))
    }
    const lock = await lockOpenAccount(tx, caller, account_id)
    await requireRoomForMember(tx, lock)
    return presentUser(await addUser(tx, actorOf(caller), lock, { ...user, role: 'member' }))
  })
}

// Bounds what closing an account has to delete.
const users_max = 1_000

/** Throws unless the account is active and has fewer users than the maximum. */
export async function requireRoomForMember(tx: Tx, lock: AccountLock): Promise<void> {
  const { account_id, status } = lock
  if (status !== 'active') throw notActive(status)
  if ((await countUsersOfAccount(tx, account_id, users_max)) >= users_max) throw tooMany()
}

function tooMany(): Refusal {
  return new Refusal(
    'invalid_request',
    `An account can have at most ${users_max} users, including its owner. Delete a user first.`,
  )
}

async function hashed(input: UserInput, client: HashingClient) {
  const password_hash = await hashPassword(input.password, client)
  return { email: input.email, name: input.name ?? null, password_hash }
}

function notActive(status: string): Refusal {
  return new Refusal(
    'invalid_request',
    `The account must be active to add members; it is ${status}.`,
  )
}
