// The ledger balances in every snapshot: balances, postings, transactions and events agree,
// however many changes are in progress.

import type { AuditRow, History } from '../history.ts'

export function ledgerBalancesInEverySnapshot({ audits }: History): string[] {
  return audits.flatMap(({ at_ms, rows }) =>
    rows.flatMap((row) =>
      check(row).map((what) => `${Math.round(at_ms)} ms, ${row.account}: ${what}`),
    ),
  )
}

function check(row: AuditRow): string[] {
  const inside = row.available + row.incoming + row.held - row.owed
  const equal: [what: string, one: number, other: number][] = [
    ['the buckets do not sum to zero', inside + row.sum_external, 0],
    ['available is not the sum of its postings', row.available, row.sum_available],
    ['incoming is not the sum of its postings', row.incoming, row.sum_incoming],
    ['held is not the sum of its postings', row.held, row.sum_held],
    ['owed is not the sum of its postings', row.owed, row.sum_owed],
    ['owed is not repaid first', Math.min(row.owed, row.available), 0],
    ['the number of postings differs from posting_sequence', row.postings, row.posting_sequence],
    ['the number of events differs from event_sequence', row.events, row.event_sequence],
    ['transactions do not have one first posting each', row.begun, row.transactions],
    ['ended transactions do not have one last posting each', row.ended, row.transactions_ended],
    ['transactions do not have one created event each', row.created_events, row.transactions],
    ['ended transactions do not have one end event each', row.ended_events, row.transactions_ended],
  ]
  return equal
    .filter(([, one, other]) => one !== other)
    .map(([what, one, other]) => `${what} (${one}, ${other})`)
}
