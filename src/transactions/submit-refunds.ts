// The worker's job that sends refunds to their provider and finds out what happened to them. The
// provider is called outside of any database transaction. The idempotency key is the id of the
// refund, so repeating a call refunds once.

import { type DueContext, type DueWork, dueJob } from '../jobs/due-work.ts'
import type { JobContext, JobResult } from '../jobs/timer.ts'
import { backgroundEntry } from '../lanes/lane-entry.ts'
import { listClosings } from '../ledger/closings.ts'
import type { Db } from '../postgres/database.ts'
import { toTypeId } from '../primitives/ids.ts'
import { type Provider, ProviderError, type ProviderRefund } from '../processors/provider.ts'
import type { ChargeRow } from './charge.ts'
import { type DueRefund, selectCharges, selectDueRefunds } from './charge-queries.ts'
import type { TransactionLanes } from './lanes.ts'
import type { RefundResult } from './provider-refunds.ts'
import { selectTransactions } from './queries.ts'
import type { TransactionRow } from './transaction.ts'

export { countPendingRefunds } from './charge-queries.ts'

interface RefundParts {
  db: Db
  lanes: TransactionLanes
  providers: Provider[]
}

/** The worker's job. Failures are passed to `report`, once per round, and retried later. */
export function submitRefundsJob(
  parts: RefundParts,
  report: (error: unknown, failed: number) => void,
): (turn: JobContext) => Promise<JobResult> {
  return dueJob(parts.db, refundCalls(parts), report)
}

// Calls per slot and round, which is a second. Stripe accepts 25 calls per second in test mode.
const calls_max = 2

function refundCalls(parts: RefundParts): DueWork<DueRefund> {
  const names = parts.providers.map(({ name }) => name)
  return {
    find: async (search) => {
      const except_account_ids = await listClosings(parts.db)
      const limit = Math.min(search.limit, calls_max)
      return selectDueRefunds(parts.db, { ...search, limit, except_account_ids }, names)
    },
    act: (row, context) => callProvider(parts, row, context),
  }
}

// A suspended process must not continue with a call that another worker has repeated meanwhile: the
// provider may have forgotten its key. The next attempt is due after 48 seconds at the earliest.
const call_within_ms = 30_000

async function callProvider(
  parts: RefundParts,
  row: DueRefund,
  { by, signal }: DueContext,
): Promise<void> {
  const provider = parts.providers.find(({ name }) => name === row.provider)!
  const { account_id, id } = row
  const command = { kind: 'submit', account_id, id, by } as const
  const started_ms = Date.now()
  await parts.lanes.submit({ command, ...backgroundEntry(account_id, signal) })
  const call = await readCall(parts.db, row)
  if (Date.now() - started_ms > call_within_ms) throw new Error(`refund ${id} was not sent in time`)
  const refund = await findOrRefund(provider, row, call, by)
  if (refund === undefined) return
  const { provider: name, charge_id } = call.charge
  await parts.lanes.submit({
    command: { kind: 'result', account_id, id, provider: name, charge_id, refund },
    ...backgroundEntry(account_id, undefined),
    // The provider has acted: the result is recorded however long it takes.
    must_run: true,
  })
}

interface RefundCall {
  charge: ChargeRow
  transaction: TransactionRow
}

async function readCall(db: Db, { account_id, id, payment_id }: DueRefund): Promise<RefundCall> {
  const [[charge], [transaction]] = await Promise.all([
    selectCharges(db, [{ account_id, id: payment_id }]),
    selectTransactions(db, [{ account_id, id }]),
  ])
  if (charge === undefined || transaction === undefined) throw new Error(`no charge for ${id}`)
  return { charge, transaction }
}

/** Undefined if the provider does not list it now. Throws if the outcome is unknown. */
async function findOrRefund(
  provider: Provider,
  row: DueRefund,
  call: RefundCall,
  by: Date,
): Promise<RefundResult | undefined> {
  const { submitted_at } = row
  const age_ms = submitted_at === null ? 0 : by.getTime() - submitted_at.getTime()
  if (age_ms > provider.key_lives_ms || row.provider_refund_id !== null) {
    const found = await findRefund(provider, row, call.charge)
    // A refund that the provider has created is never requested again.
    if (found !== undefined || row.provider_refund_id !== null) return found
  }
  return requestRefund(provider, call)
}

async function findRefund(
  provider: Provider,
  { id, provider_refund_id }: DueRefund,
  charge: ChargeRow,
): Promise<ProviderRefund | undefined> {
  const snapshot = await provider.fetchSnapshot(charge.provider_id!)
  const transaction_id = toTypeId('transaction', id)
  return snapshot?.refunds.find(
    (refund) => refund.id === provider_refund_id || refund.transaction_id === transaction_id,
  )
}

async function requestRefund(
  provider: Provider,
  { charge, transaction }: RefundCall,
): Promise<RefundResult> {
  const { amount, currency, id } = transaction
  const { provider_id, charge_id } = charge
  try {
    return await provider.refund({
      transaction_id: toTypeId('transaction', id),
      provider_id: provider_id!,
      charge_id,
      amount,
      currency,
    })
  } catch (error) {
    if (error instanceof ProviderError && error.is_final) return 'rejected'
    throw error
  }
}
