// The books balance at every instant: what a snapshot shows of balances, postings, transactions and
// events belongs together, however many changes are under way.

import type { AuditRow, History } from '../history.ts'

export function ledgerBalancesInEverySnapshot({ audits }: History): string[] {
  return audits.flatMap(({ at_ms, rows }) =>
    rows.flatMap((row) =>
      check(row).map((what) => `${Math.round(at_ms)} ms, ${row.account}: ${what}`),
    ),
  )
}

function check(row: AuditRow): string[] {
  const inside = row.available + row.incoming + row.held
  const equal: [what: string, one: number, other: number][] = [
    ['the places do not sum to zero', inside + row.sum_external, 0],
    ['available is not the sum of its postings', row.available, row.sum_available],
    ['incoming is not the sum of its postings', row.incoming, row.sum_incoming],
    ['held is not the sum of its postings', row.held, row.sum_held],
    ['postings are not as many as their sequence', row.postings, row.posting_sequence],
    ['events are not as many as their sequence', row.events, row.event_sequence],
    ['transactions do not have one first posting each', row.begun, row.transactions],
    ['ended transactions do not have one last posting each', row.ended, row.transactions_ended],
    ['not each transaction was told of once', row.created_events, row.transactions],
    ['not each end was told of once', row.ended_events, row.transactions_ended],
  ]
  return equal
    .filter(([, one, other]) => one !== other)
    .map(([what, one, other]) => `${what} (${one}, ${other})`)
}
