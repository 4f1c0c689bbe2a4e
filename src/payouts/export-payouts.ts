// POST /v1/payout_exports: a payment file for the bank, with approved payouts and the refunds of
// bank transfers. They change in the transaction that stores the file, so that each is in one file
// only, and a lost download can be repeated.

import { recordAuditEntry } from '../audit/record-audit-entry.ts'
import { isCreditorReference } from '../bank/creditor-reference.ts'
import { sepa_amount_max } from '../bank/epc-qr.ts'
import { type PaymentFile, writePaymentFile } from '../bank/payment-file.ts'
import { toSepaText } from '../bank/sepa-text.ts'
import { changeOnce } from '../idempotency/change-once.ts'
import type { Caller } from '../identity/caller.ts'
import { actorOf } from '../identity/sessions/actor.ts'
import { requireLiveToken } from '../identity/sessions/require-live-token.ts'
import { writeChanges } from '../lanes/define-lane.ts'
import { LockedAccounts } from '../lanes/locked-accounts.ts'
import type { RowKey } from '../lanes/row-set.ts'
import { lockAccountIfExists, timeUnderLock } from '../ledger/account-lock.ts'
import { findAccountStates } from '../ledger/find-balance.ts'
import type { AccountLock, AccountStatus } from '../ledger/lock-row.ts'
import { newestSettledId } from '../postgres/clock.ts'
import type { Db, Queryable, Tx } from '../postgres/database.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../primitives/cursor.ts'
import { findUuid, newUuid, nil_uuid, timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { toIso } from '../primitives/time.ts'
import {
  findUnsentRefunds,
  listRefundsToTransfer,
  submitRefunds,
  type TransferRefund,
} from '../transactions/transfer-refunds.ts'
import {
  type ExportRow,
  insertExport,
  type RefundRow,
  selectAccountsToExport,
  selectExport,
  selectExportFile,
  selectExportPage,
  selectPayoutsToExport,
  sendExportedRefunds,
} from './export-queries.ts'
import { type PayoutRow, payoutSet } from './payout.ts'
import { writePayouts } from './queries.ts'

interface PayoutExport {
  id: string
  currency: string
  payouts: number
  refunds: number
  amount: number
  created_by: string
  created_at: string
}

interface ExportInput {
  currency: string
  debtor: { name: string; iban: string; bic?: string | null | undefined }
  execute_on?: string | undefined
  version?: PaymentFile['version'] | undefined
}

// A file of about a megabyte. The next request continues with the others.
const transfers_max = 1_000
// How many thousand refunds without the account of the payer may wait before the others.
const pages_max = 100

/** Passed in, because this folder must not import bank statements. */
type FindPayers = (
  db: Queryable,
  charge_ids: string[],
) => Promise<ReadonlyMap<string, { name: string; iban: string }>>

export async function exportPayouts(
  db: Db,
  caller: Caller,
  input: ExportInput,
  findPayers: FindPayers,
): Promise<PayoutExport> {
  return changeOnce(db, caller.idempotency, async (tx) => {
    const id = newUuid(tx.now.getTime())
    const batches = await lockBatches(tx, id, input.currency, findPayers)
    await requireLiveToken(tx, caller)
    const rows = batches.flatMap((batch) => batch.rows)
    const refunded = batches.flatMap((batch) => batch.refunds)
    const [payouts, refunds] = [rows.length, refunded.length]
    if (payouts + refunds === 0) throw noneApproved(input.currency)
    const transfers = [...rows.map(transferOf), ...refunded.map(refundTransferOf)]
    // Written before the rows change: it checks names and amounts.
    const file = [...writePaymentFile(fileOf(tx.now, id, transfers, input))].join('')
    const amount = transfers.reduce((sum, transfer) => sum + transfer.amount, 0)
    const { currency } = input
    const created_by = caller.user_id
    const row: ExportRow = { id, currency, payouts, refunds, amount, created_by }
    for (const batch of batches) await send(tx, batch, id)
    await insertExport(tx, row, file)
    const details = { payouts, refunds, amount, currency }
    const action = 'payout_export.created'
    await recordAuditEntry(tx, actorOf(caller), { action, object_id: id, details })
    return presentExport(row)
  })
}

/** The approved payouts and the refunds by transfer of one account. */
interface Batch {
  lock: AccountLock
  rows: PayoutRow[]
  refunds: RefundRow[]
}

/**
 * Read under the locks: of two exports, the second one finds none. One account at a time, because a
 * statement on Citus locks and changes rows of one shard. In id order, which prevents deadlocks.
 */
async function lockBatches(
  tx: Tx,
  export_id: string,
  currency: string,
  findPayers: FindPayers,
): Promise<Batch[]> {
  // All of them: a thousand suspended accounts must not keep the others waiting.
  const with_payouts = await selectAccountsToExport(tx, currency)
  const refunds_of = await findRefunds(tx, export_id, currency, findPayers)
  const batches: Batch[] = []
  let left = transfers_max
  // The sum of a file must be exact.
  let amount_left = Number.MAX_SAFE_INTEGER
  const fits = ({ amount }: { amount: number }) => {
    if (amount > amount_left) return false
    amount_left -= amount
    return true
  }
  for (const account_id of [...new Set([...with_payouts, ...refunds_of.keys()])].sort()) {
    const lock = await lockAccountIfExists(tx, account_id)
    if (lock === undefined || !maySend(lock)) continue
    const approved = await selectPayoutsToExport(tx, account_id, currency, left)
    const rows = approved.filter(fits)
    left -= rows.length
    const waiting = await listUnsent(tx, lock, refunds_of.get(account_id))
    const refunds = waiting.slice(0, left).filter(fits)
    left -= refunds.length
    if (rows.length + refunds.length > 0) batches.push({ lock, rows, refunds })
    if (left === 0) break
  }
  return batches
}

/** What a suspended account sends waits. A closed one may still refund a late payment. */
function maySend({ status }: { status: AccountStatus }): boolean {
  return status === 'active' || status === 'closed'
}

/**
 * The oldest refunds that a file can contain, by account. Found before any account is locked, so
 * that an account with nothing to export is not, and others do not keep these out of the file.
 */
async function findRefunds(
  tx: Tx,
  export_id: string,
  currency: string,
  findPayers: FindPayers,
): Promise<Map<string, RefundRow[]>> {
  const found: RefundRow[] = []
  let after: RowKey = { account_id: nil_uuid, id: nil_uuid }
  for (let page = 0; page < pages_max && found.length < transfers_max; page++) {
    const waiting = await listRefundsToTransfer(tx, currency, after, transfers_max)
    const refunds = await withPayers(tx, export_id, waiting, findPayers)
    const account_ids = [...new Set(refunds.map(({ account_id }) => account_id))]
    const sending = (await findAccountStates(tx, account_ids)).filter(maySend)
    const ids = new Set(sending.map(({ account_id }) => account_id))
    found.push(...refunds.filter(({ account_id }) => ids.has(account_id)))
    if (waiting.length < transfers_max) break
    after = waiting.at(-1)!
  }
  return Map.groupBy(found, ({ account_id }) => account_id)
}

/** Without those that another export has sent, or that were canceled, since they were found. */
async function listUnsent(
  tx: Tx,
  lock: AccountLock,
  found: RefundRow[] | undefined,
): Promise<RefundRow[]> {
  if (found === undefined) return []
  const ids = found.map(({ id }) => id)
  const unsent = new Set(await findUnsentRefunds(tx, lock, ids))
  return found.filter(({ id }) => unsent.has(id))
}

/** Without the account of the payer, the operator sends a refund and settles it by hand. */
async function withPayers(
  tx: Tx,
  export_id: string,
  refunds: TransferRefund[],
  findPayers: FindPayers,
): Promise<RefundRow[]> {
  if (refunds.length === 0) return []
  const payers = await findPayers(
    tx,
    refunds.map(({ charge_id }) => charge_id),
  )
  return refunds.flatMap((refund) => {
    const payer = payers.get(refund.charge_id)
    const is_writable = payer !== undefined && toSepaText(payer.name, 70) !== undefined
    const is_small = refund.currency !== 'EUR' || refund.amount <= sepa_amount_max
    if (!is_writable || !is_small) return []
    return [{ ...refund, ...payer, export_id, paid_entry_id: null, returned_entry_id: null }]
  })
}

function noneApproved(currency: string): Refusal {
  return new Refusal(
    'conflict',
    `No payout in ${currency} is approved, and no refund by transfer waits. Approve payouts ` +
      'first, or choose another currency.',
  )
}

async function send(tx: Tx, { lock, rows, refunds }: Batch, export_id: string): Promise<void> {
  if (refunds.length > 0) {
    const ids = refunds.map(({ id }) => id)
    await submitRefunds(tx, lock.account_id, ids, timeUnderLock(tx, lock))
    sendExportedRefunds(tx, refunds)
  }
  if (rows.length === 0) return
  const set = payoutSet(new LockedAccounts(tx.now, [lock]), rows)
  for (const row of rows) {
    const updated_at = set.locked.timeOf(lock)
    set.change(lock, row, { status: 'in_transit', export_id, updated_at })
    set.addEvent(lock, 'payout.in_transit', row)
  }
  writeChanges(tx, set, writePayouts)
}

type Transfer = PaymentFile['transfers'][number]

function transferOf({ id, amount, reference, name, iban, bic }: PayoutRow): Transfer {
  const creditor = { name, iban, bic }
  const type_id = toTypeId('payout', id)
  return { id: type_id, amount, creditor, remittance: remittanceOf(reference ?? '', type_id) }
}

const remittance_max = 140

/** Statements without an end-to-end id, such as CSV files, name a payout in this text only. */
function remittanceOf(reference: string, id: string): string {
  // It is written in a field that has room for nothing else.
  if (isCreditorReference(reference)) return reference
  const text = toSepaText(reference, remittance_max - id.length - 1)
  return text === undefined ? id : `${text} ${id}`
}

function refundTransferOf({ id, amount, name, iban }: RefundRow): Transfer {
  const creditor = { name, iban, bic: null }
  const type_id = toTypeId('transaction', id)
  return { id: type_id, amount, creditor, remittance: type_id }
}

function fileOf(now: Date, id: string, transfers: Transfer[], input: ExportInput): PaymentFile {
  const { currency, debtor, execute_on = toIso(now).slice(0, 10), version = '09' } = input
  return {
    version,
    id: toTypeId('payout_export', id),
    created_at: now,
    execute_on,
    currency,
    debtor: { ...debtor, bic: debtor.bic ?? null },
    transfers,
  }
}

function presentExport(row: ExportRow): PayoutExport {
  const { id, currency, payouts, refunds, amount, created_by } = row
  return {
    id: toTypeId('payout_export', id),
    currency,
    payouts,
    refunds,
    amount,
    created_by: toTypeId('user', created_by),
    created_at: toIso(timeOfUuid(id)),
  }
}

export async function getExport(db: Queryable, export_id: string): Promise<PayoutExport> {
  const row = await selectExport(db, readExportId(export_id))
  if (row === undefined) throw unknownExport()
  return presentExport(row)
}

/** The XML document. */
export async function getExportFile(db: Queryable, export_id: string): Promise<string> {
  const file = await selectExportFile(db, readExportId(export_id))
  if (file === undefined) throw unknownExport()
  return file
}

export async function listExports(db: Db, query: CursorQuery): Promise<CursorPage<PayoutExport>> {
  const page = await pageByCursor(query, 'payout_export', {
    exists: async (id) => (await selectExport(db, id)) !== undefined,
    select: async (range) => {
      // Ids are not in commit order: a page upward ends before the newest ids.
      const last_id = range.after === null ? undefined : await newestSettledId(db)
      return selectExportPage(db, { last_id }, range)
    },
  })
  return { ...page, data: page.data.map(presentExport) }
}

/** The UUID in an export id. Malformed ids are reported as unknown. */
export function readExportId(text: string): string {
  const id = findUuid('payout_export', text)
  if (id === undefined) throw unknownExport()
  return id
}

function unknownExport(): Refusal {
  return new Refusal('not_found', 'No payout export with this id exists.')
}
