// Where the money of an account is paid out to, and up to which amount without approval. A changed
// destination is what a thief with a stolen session needs, so the owner gets an email, and an admin
// or a platform user must approve the next payout.

import { findAccounts } from '../accounts/find-accounts.ts'
import { recordAuditEntry } from '../audit/record-audit-entry.ts'
import { bicError, findBic, findIban, ibanError } from '../bank/iban.ts'
import { toSepaText } from '../bank/sepa-text.ts'
import { queueEmails } from '../email/outbox.ts'
import { changeOnce } from '../idempotency/change-once.ts'
import {
  findActingAccount,
  getActingAccountId,
  lockOpenAccount,
  unknownActingAccount,
} from '../identity/acting-account.ts'
import type { Caller } from '../identity/caller.ts'
import { actorOf } from '../identity/sessions/actor.ts'
import { timeUnderLock } from '../ledger/account-lock.ts'
import type { Db, Queryable, Tx } from '../postgres/database.ts'
import { newUuid, toTypeId } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { quote } from '../primitives/text.ts'
import { toIso } from '../primitives/time.ts'
import type { Destination, SettingsRow } from './payout.ts'
import { selectSettings, upsertSettings } from './queries.ts'

interface PayoutSettings {
  account_id: string
  destination: Destination | null
  next_needs_approval: boolean
  approval_limit: number | null
  updated_at: string | null
}

interface ServerFacts {
  db: Db
  sandbox: boolean
}

export async function getPayoutSettings(
  { db, sandbox }: ServerFacts,
  caller: Caller,
): Promise<PayoutSettings> {
  const account_id = await getActingAccountId(db, caller)
  return present(await findSettings(db, account_id), sandbox)
}

export async function findSettings(db: Queryable, account_id: string): Promise<SettingsRow> {
  return (
    (await selectSettings(db, account_id)) ?? {
      account_id,
      name: null,
      iban: null,
      bic: null,
      destination_set_by: null,
      is_confirmed: false,
      approval_limit: null,
      updated_at: null,
    }
  )
}

/** Undefined if payouts need no approval. In live mode every payout needs one by default. */
export function limitOf(row: SettingsRow, sandbox: boolean): number | undefined {
  return row.approval_limit ?? (sandbox ? undefined : 0)
}

export function destinationOf({ name, iban, bic }: SettingsRow): Destination | null {
  return name === null || iban === null ? null : { name, iban, bic }
}

function present(row: SettingsRow, sandbox: boolean): PayoutSettings {
  return {
    account_id: toTypeId('account', row.account_id),
    destination: destinationOf(row),
    next_needs_approval: !row.is_confirmed,
    approval_limit: limitOf(row, sandbox) ?? null,
    updated_at: row.updated_at && toIso(row.updated_at),
  }
}

interface DestinationInput {
  name: string
  iban: string
  bic?: string | null | undefined
}

/** PATCH /v1/account/payout_destination. The same destination again changes nothing. */
export async function changeDestination(
  server: ServerFacts,
  caller: Caller,
  input: DestinationInput,
): Promise<PayoutSettings> {
  const destination = readDestination(input)
  return change(server, caller, 'account.payout_destination_changed', (before) => {
    const { name, iban, bic } = before
    const same = JSON.stringify({ name, iban, bic }) === JSON.stringify(destination)
    if (same) return before
    return {
      ...before,
      ...destination,
      destination_set_by: caller.user_id,
      is_confirmed: false,
    }
  })
}

/** PATCH /v1/account/payout_limit. Null sets the limit of the mode. */
export async function changeLimit(
  server: ServerFacts,
  caller: Caller,
  approval_limit: number | null,
): Promise<PayoutSettings> {
  return change(server, caller, 'account.payout_limit_changed', (before) =>
    before.approval_limit === approval_limit ? before : { ...before, approval_limit },
  )
}

async function change(
  { db, sandbox }: ServerFacts,
  caller: Caller,
  action: 'account.payout_destination_changed' | 'account.payout_limit_changed',
  decide: (before: SettingsRow) => SettingsRow,
): Promise<PayoutSettings> {
  const account_id = findActingAccount(caller)
  if (account_id === undefined) throw unknownActingAccount(caller)
  return changeOnce(db, caller.idempotency, async (tx) => {
    const lock = await lockOpenAccount(tx, caller, account_id)
    const before = await findSettings(tx, account_id)
    const decided = decide(before)
    if (decided === before) return present(before, sandbox)
    const after = { ...decided, updated_at: timeUnderLock(tx, lock) }
    await upsertSettings(tx, after)
    const details = auditDetails(before, after)
    await recordAuditEntry(tx, actorOf(caller), {
      action,
      object_id: account_id,
      account_id,
      details,
    })
    if (action === 'account.payout_destination_changed') await notifyOwner(tx, after)
    return present(after, sandbox)
  })
}

/** The last four characters identify an IBAN without repeating it. */
function auditDetails(before: SettingsRow, after: SettingsRow): Record<string, unknown> {
  if (before.approval_limit !== after.approval_limit) {
    return { approval_limit: after.approval_limit }
  }
  return { name: after.name, iban: maskedIban(after.iban!) }
}

function maskedIban(iban: string): string {
  return `${iban.slice(0, 2)}…${iban.slice(-4)}`
}

/** Cannot be turned off: see exempt_kinds in email/recipient-limits.ts. */
async function notifyOwner(tx: Tx, row: SettingsRow): Promise<void> {
  const [account] = await findAccounts(tx, [row.account_id])
  const { email: to, name: account_name, language, timezone } = account!
  const facts = {
    account_name,
    holder: row.name!,
    iban: maskedIban(row.iban!),
    changed_at: toIso(row.updated_at!),
  }
  const cause = `payout_destination_changed ${newUuid(tx.now.getTime())}`
  const kind = 'payout_destination_changed' as const
  queueEmails(tx, [{ account_id: row.account_id, to, language, timezone, cause, kind, facts }])
}

/** The schema has checked types and lengths. */
function readDestination({ name, iban, bic }: DestinationInput): Destination {
  // A payment file has Latin letters only: rejected now rather than when it is exported.
  if (toSepaText(name, 70) === undefined) {
    throw new Refusal(
      'invalid_request',
      `"name" must have Latin letters or digits, as at the bank; got ${quote(name)}. ` +
        'Transcribe it.',
    )
  }
  const valid = findIban(iban)
  if (valid === undefined) throw new Refusal('invalid_request', ibanError('iban', iban)!)
  const code = bic == null ? null : findBic(bic)
  if (code === undefined) throw new Refusal('invalid_request', bicError('bic', bic!)!)
  return { name, iban: valid, bic: code }
}
