// Reads balances, postings, transactions and events repeatedly over a separate session, in one
// statement and therefore one snapshot, and records them. A check evaluates the records later.

import { setTimeout as sleep } from 'node:timers/promises'
import { toTypeId } from '../../src/primitives/ids.ts'
import type { AuditRow } from './history.ts'
import type { Recorder } from './record.ts'
import type { RunDatabase } from './servers/run-database.ts'
import { RunSession } from './servers/run-session.ts'

// At least one per 250 ms is required. The interval is shorter, because some fail during outages.
const every_ms = 150

const amounts = (bucket: string, plus: string, minus: string) => `
  coalesce(sum(amount) filter (where movement in (${plus})), 0)
    - coalesce(sum(amount) filter (where movement in (${minus})), 0) as sum_${bucket}`

const audit_query = `
  with posted as (
    select account_id, count(*) as postings,
      count(*) filter (where movement in ('arrive', 'hold')) as begun,
      count(*) filter (where movement in ('settle', 'return', 'pay_out', 'release')) as ended,
      ${amounts('external', "'return', 'pay_out', 'fee', 'withdraw'", "'arrive', 'reinstate'")},
      ${amounts('incoming', "'arrive'", "'settle', 'return'")},
      ${amounts(
        'available',
        "'settle', 'release', 'reinstate', 'overdraw'",
        "'hold', 'fee', 'withdraw', 'repay'",
      )},
      ${amounts('held', "'hold'", "'pay_out', 'release'")},
      ${amounts('owed', "'overdraw'", "'repay'")}
    from postings
    group by account_id),
  recorded as (
    select account_id, count(*) as events,
      count(*) filter (where type = 'transaction.created') as created_events,
      count(*) filter (where type in ('transaction.succeeded', 'transaction.failed',
        'transaction.canceled')) as ended_events
    from events
    group by account_id),
  created as (
    select account_id, count(*) as transactions,
      count(*) filter (where status <> 'pending') as transactions_ended
    from transactions
    group by account_id)
  select account_id, available, incoming, held, owed, posting_sequence, event_sequence,
    coalesce(sum_external, 0) as sum_external, coalesce(sum_incoming, 0) as sum_incoming,
    coalesce(sum_available, 0) as sum_available, coalesce(sum_held, 0) as sum_held,
    coalesce(sum_owed, 0) as sum_owed,
    coalesce(postings, 0) as postings, coalesce(events, 0) as events,
    coalesce(begun, 0) as begun, coalesce(ended, 0) as ended,
    coalesce(transactions, 0) as transactions,
    coalesce(transactions_ended, 0) as transactions_ended,
    coalesce(created_events, 0) as created_events, coalesce(ended_events, 0) as ended_events
  from balances
  left join posted using (account_id)
  left join recorded using (account_id)
  left join created using (account_id)`

export async function auditUntil(
  database: RunDatabase,
  recorder: Recorder,
  signal: AbortSignal,
): Promise<void> {
  const session = new RunSession(database, 'chaos auditor')
  while (!signal.aborted) {
    const started = performance.now()
    await audit(session, recorder).catch(() => {})
    // Pause at least as long as the query took, so it does not become the load.
    const took_ms = performance.now() - started
    await sleep(Math.max(every_ms - took_ms, took_ms, 20))
  }
  await session.close()
}

async function audit(session: RunSession, recorder: Recorder): Promise<void> {
  const at_ms = recorder.now()
  const rows = await session.rows<Record<string, string>>(audit_query)
  recorder.add({ kind: 'audit', at_ms, rows: rows.map(readRow) })
}

function readRow({ account_id, ...numbers }: Record<string, string>): AuditRow {
  const read = Object.entries(numbers).map(([name, text]) => [name, Number(text)])
  return { account: toTypeId('account', account_id!), ...Object.fromEntries(read) }
}
