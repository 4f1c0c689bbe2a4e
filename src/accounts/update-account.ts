// PATCH /v1/account (name, email, settings) and PATCH /v1/accounts/{id} (status). Both run under
// the account lock, whose row also has the status and currency for every decision about money.

import { recordAuditEntry } from '../audit/record-audit-entry.ts'
import { changeOnce } from '../idempotency/change-once.ts'
import {
  findActingAccount,
  lockOpenAccount,
  unknownAccount,
  unknownActingAccount,
} from '../identity/acting-account.ts'
import { type Caller, isAdminOrPlatform } from '../identity/caller.ts'
import { actorOf } from '../identity/sessions/actor.ts'
import { requireLiveToken } from '../identity/sessions/require-live-token.ts'
import { changeOwnerEmail } from '../identity/users/owner.ts'
import {
  appendEvent,
  changeStatusOrCurrency,
  lockAccountIfExists,
  timeUnderLock,
} from '../ledger/account-lock.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { changeCounts } from '../postgres/list-counts.ts'
import { canonicalEmail } from '../primitives/email-address.ts'
import { nil_uuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { type Account, type AccountRow, type AccountSettings, presentAccount } from './account.ts'
import { cancelEmailChange, type EmailChangePolicy, requestEmailChange } from './email-change.ts'
import { requireAccountId } from './get-account.ts'
import { selectAccounts, updateAccountRow } from './queries.ts'

interface AccountChanges {
  name?: string
  email?: string
  settings?: Partial<AccountSettings>
}

export async function updateAccount(
  db: Db,
  caller: Caller,
  changes: AccountChanges,
  email_change_policy: EmailChangePolicy,
): Promise<Account> {
  const account_id = findActingAccount(caller)
  if (account_id === undefined) throw unknownActingAccount(caller)
  return changeOnce(db, caller.idempotency, async (tx) => {
    const lock = await lockOpenAccount(tx, caller, account_id)
    const before = await getRow(tx, account_id)
    const after: AccountRow = {
      ...before,
      name: changes.name ?? before.name,
      email: await emailAfter(tx, caller, before, changes.email, email_change_policy),
      ...changes.settings,
    }
    if (after.currency !== before.currency) await changeCurrency(tx, lock, after.currency)
    if (after.email !== before.email) {
      await changeOwnerEmail(tx, actorOf(caller), lock, before.owner_id, after.email)
    }
    return save(tx, caller, lock, before, after)
  })
}

/** The email after this change. In live mode a new email must first be confirmed. */
async function emailAfter(
  tx: Tx,
  caller: Caller,
  before: AccountRow,
  email: string | undefined,
  policy: EmailChangePolicy,
): Promise<string> {
  if (email === undefined) return before.email
  // Another spelling of the same address needs no confirmation.
  const same = canonicalEmail(email) === canonicalEmail(before.email)
  if (same || policy === 'at_once') {
    await cancelEmailChange(tx, before.id)
    return email
  }
  await requestEmailChange(tx, before, email, policy.confirmed_under)
  if (isAdminOrPlatform(caller)) {
    const audit_entry = { object_id: before.id, account_id: before.id, details: { email } }
    await recordAuditEntry(tx, actorOf(caller), {
      action: 'account.email_change_requested',
      ...audit_entry,
    })
  }
  return before.email
}

async function changeCurrency(tx: Tx, lock: AccountLock, currency: string): Promise<void> {
  // Every transaction, payment request and subscription takes its id under this lock. A transfer
  // from another account has the id of its source, but a posting.
  if (lock.last_transaction_id !== nil_uuid || lock.posting_sequence > 0) {
    throw new Refusal(
      'invalid_request',
      '"settings.currency" cannot be changed after the first transaction, payment request or ' +
        'subscription. Open another account for another currency.',
    )
  }
  await changeStatusOrCurrency(tx, lock, { currency })
}

type SettableStatus = 'active' | 'suspended' | 'pending'

export async function changeAccountStatus(
  db: Db,
  caller: Caller,
  account_id: string,
  status: SettableStatus,
): Promise<Account> {
  const id = requireAccountId(account_id)
  return changeOnce(db, caller.idempotency, async (tx) => {
    const lock = await lockAccountIfExists(tx, id)
    await requireLiveToken(tx, caller)
    if (lock === undefined) throw unknownAccount()
    if (lock.status === 'closed') throw closed()
    const before = await getRow(tx, id)
    if (before.status === status) return presentAccount(before)
    await changeStatusOrCurrency(tx, lock, { status })
    const account = await save(tx, caller, lock, before, { ...before, status })
    await recount(tx, before, status)
    return account
  })
}

async function getRow(tx: Tx, id: string): Promise<AccountRow> {
  const [row] = await selectAccounts(tx, [id])
  if (row === undefined) throw unknownAccount()
  return row
}

async function save(
  tx: Tx,
  caller: Caller,
  lock: AccountLock,
  before: AccountRow,
  after: AccountRow,
): Promise<Account> {
  const changed = Object.entries(after).filter(
    ([key, value]) => before[key as keyof AccountRow] !== value,
  )
  if (changed.length === 0) return presentAccount(before)
  after.updated_at = timeUnderLock(tx, lock)
  await updateAccountRow(tx, after)
  const account = presentAccount(after)
  await appendEvent(tx, lock, { type: 'account.updated', object_id: after.id, data: account })
  if (isAdminOrPlatform(caller)) {
    const details = Object.fromEntries(changed)
    const audit_entry = {
      action: 'account.updated',
      object_id: after.id,
      account_id: after.id,
    } as const
    await recordAuditEntry(tx, actorOf(caller), { ...audit_entry, details })
  }
  return account
}

async function recount(tx: Tx, before: AccountRow, status: SettableStatus): Promise<void> {
  const row = { list: 'accounts', type: before.type, id: before.id } as const
  await changeCounts(tx, [
    { ...row, status: before.status, by: -1 },
    { ...row, status, by: 1 },
  ])
}

function closed(): Refusal {
  return new Refusal('conflict', 'The account is closed. A closed account cannot be changed.')
}
