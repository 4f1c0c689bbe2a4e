// POST /v1/accounts: creates an account and its owner in one database transaction. The owner logs
// in with the email and password of the request.

import { type Actor, recordAuditEntry } from '../audit/record-audit-entry.ts'
import { changeOnce } from '../idempotency/change-once.ts'
import type { Caller } from '../identity/caller.ts'
import { checkPassword } from '../identity/login/check-password.ts'
import { actorOf, anonymous } from '../identity/sessions/actor.ts'
import { requireLiveToken } from '../identity/sessions/require-live-token.ts'
import { lockSessions } from '../identity/sessions/revoke-sessions.ts'
import { addUser } from '../identity/users/add-user.ts'
import {
  admitSignUp,
  type SignUpClient,
  statusAfterSignUp,
  verifyAfterSignUp,
} from '../identity/users/create-user.ts'
import { lockUser } from '../identity/users/credentials.ts'
import { getUserById } from '../identity/users/get-user.ts'
import { makeOwner } from '../identity/users/owner.ts'
import { type HashingClient, hashPassword } from '../identity/users/password.ts'
import {
  type PasswordPolicy,
  requireAcceptablePassword,
} from '../identity/users/password-policy.ts'
import type { UserRow } from '../identity/users/user.ts'
import { appendEvent, createBalance } from '../ledger/account-lock.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { type CountChange, changeCounts } from '../postgres/list-counts.ts'
import { canonicalEmail } from '../primitives/email-address.ts'
import { newUuid, timeOfUuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import {
  type Account,
  type AccountRow,
  type AccountSettings,
  type AccountType,
  defaultSettings,
  presentAccount,
} from './account.ts'
import { insertAccount, sendNewAccounts } from './queries.ts'
import { weekBefore } from './summary-schedule.ts'

interface AccountInput {
  email: string
  name: string
  type: AccountType
  password: string
  settings?: Partial<AccountSettings>
}

/** Opens an account with a new owner, by sign-up (no caller) or by an admin or platform. */
export async function openAccount(
  db: Db,
  requester: SignUpClient & { caller: Caller | undefined },
  input: AccountInput,
  policy: PasswordPolicy,
): Promise<Account> {
  requireAcceptablePassword(input.password, policy, input.email)
  if (requester.caller === undefined) await admitSignUp(db, input.email, requester)
  // Only sign-up without a token must be verified: admins and platforms vouch for their users.
  const sign_up_policy = requester.caller === undefined ? requester.policy : 'active_at_once'
  const status = statusAfterSignUp(sign_up_policy)
  const password_hash = await hashPassword(input.password, requester.client)
  const actor = requester.caller ? actorOf(requester.caller) : anonymous(requester.request_id)
  return changeOnce(db, requester.caller?.idempotency, async (tx) => {
    if (requester.caller) await requireLiveToken(tx, requester.caller)
    const { email } = input
    const row = await addAccount(tx, actor, input, (lock) =>
      addUser(tx, actor, lock, { email, name: null, password_hash, role: 'owner', status }),
    )
    const owner = { id: row.owner_id, email, password_hash }
    await verifyAfterSignUp(tx, sign_up_policy, owner, row)
    return presentAccount(row)
  })
}

/** A lone user opens an account with their email and password and becomes its owner. */
export async function openOwnAccount(
  db: Db,
  caller: Caller,
  input: AccountInput,
  address: string,
  client: HashingClient,
): Promise<Account> {
  const self = await getUserById(db, caller.user_id)
  if (canonicalEmail(self.email) !== canonicalEmail(input.email)) {
    throw new Refusal(
      'invalid_request',
      '"email" must be the email address of your user, who becomes the owner of the account.',
    )
  }
  const verified = await checkPassword(db, { ...input, address }, client)
  if (verified?.id !== caller.user_id) {
    const message = '"password" must be your current password.'
    throw new Refusal('unauthorized', message, { wrong_password: true })
  }
  return changeOnce(db, caller.idempotency, async (tx) => {
    await lockUser(tx, caller.user_id)
    // Before the shared lock of requireLiveToken: two requests of one session would deadlock.
    await lockSessions(tx, caller.user_id)
    await requireLiveToken(tx, caller)
    const row = await addAccount(tx, actorOf(caller), input, (lock) =>
      makeOwner(tx, actorOf(caller), lock, { ...verified, email: input.email }),
    )
    return presentAccount(row)
  })
}

/**
 * All code paths that create a single account use this. No other transaction can see the new id, so
 * none can wait for its lock: locking an existing owner after it cannot deadlock.
 */
export async function addAccount(
  tx: Tx,
  actor: Actor,
  input: Omit<AccountInput, 'password'>,
  findOwner: (lock: AccountLock) => Promise<UserRow>,
): Promise<AccountRow> {
  const settings = { ...defaultSettings, ...input.settings }
  const id = newUuid(tx.now.getTime())
  const at = timeOfUuid(id)
  const lock = await createBalance(tx, { account_id: id, currency: settings.currency, at })
  const row: AccountRow = {
    id,
    owner_id: id,
    type: input.type,
    status: 'active',
    email: input.email,
    name: input.name,
    ...settings,
    updated_at: at,
    closed_at: null,
  }
  await appendEvent(tx, lock, { type: 'account.created', object_id: id, data: presentAccount(row) })
  const list = { list: 'accounts', status: row.status, type: row.type, id, by: 1 } as const
  await changeCounts(tx, [list])
  row.owner_id = (await findOwner(lock)).id
  await insertAccount(tx, { ...row, ...firstSummary(row) })
  await recordAuditEntry(tx, actor, { action: 'account.created', object_id: id, account_id: id })
  return row
}

/**
 * Inserts many accounts, without their owners and balances. Returns the changes of counters, which
 * are locked last.
 */
export function writeAccounts(tx: Tx, rows: AccountRow[]): CountChange[] {
  const withSummary = (row: AccountRow) => ({ ...row, ...firstSummary(row) })
  sendNewAccounts(tx, rows.map(withSummary))
  return rows.map(({ id, status, type }) => ({ list: 'accounts', status, type, id, by: 1 }))
}

/** Scheduled here, so that the worker needs no lock of every new account. */
function firstSummary({ updated_at, timezone }: AccountRow): { summary_due_at: Date } {
  return { summary_due_at: weekBefore(updated_at, timezone).next_at }
}
