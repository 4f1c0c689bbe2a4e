// POST /v1/users: sign-up creates a lone user, the owner of an account a member, and admins and
// platforms either.

import { changeOnce } from '../../idempotency/change-once.ts'
import type { Db } from '../../postgres/database.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { findActingAccount, lockOpenAccount } from '../acting-account.ts'
import type { Caller } from '../caller.ts'
import { actorOf, anonymous } from '../sessions/actor.ts'
import { requireLiveToken } from '../sessions/require-live-token.ts'
import { addUser, requireFreeEmail } from './add-user.ts'
import { type HashingClient, hashPassword } from './password.ts'
import { type PasswordPolicy, requireAcceptablePassword } from './password-policy.ts'
import { countUsersOfAccount } from './queries.ts'
import { presentUser, type User } from './user.ts'

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
}

export async function signUp(
  db: Db,
  { request_id, client, count }: SignUpClient,
  input: UserInput,
  policy: PasswordPolicy,
): Promise<User> {
  requireAcceptablePassword(input.password, policy, input.email)
  await admitSignUp(db, input.email, count)
  const user = await hashed(input, client)
  const row = await db.transaction((tx) =>
    addUser(tx, anonymous(request_id), undefined, { ...user, role: 'lone' }),
  )
  return presentUser(row)
}

/** Runs before hashing, which is expensive. The response reveals an existing email in any case. */
export async function admitSignUp(db: Db, email: string, count: () => void): Promise<void> {
  await requireFreeEmail(db, email)
  count()
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
    if (lock.status !== 'active') throw notActive(lock.status)
    if ((await countUsersOfAccount(tx, account_id, users_max)) >= users_max) throw tooMany()
    return presentUser(await addUser(tx, actorOf(caller), lock, { ...user, role: 'member' }))
  })
}

// Bounds what closing an account has to delete.
const users_max = 1_000

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
