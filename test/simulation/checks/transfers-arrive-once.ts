// No money is lost or doubled between accounts. The postings of a transfer are a debit of the
// source and, once it has ended, credits of the same total: at its target, at the account that gets
// the fee, or back at the source. Until then the receiving accounts may already have their part.

import type { FinalPosting, FinalTransfer, History } from '../history.ts'
import { groupBy } from '../writes.ts'

// A credit first repays what the account owes.
const moves_nothing = new Set(['overdraw', 'repay'])

export function transfersArriveOnce({ final }: History): string[] {
  const postings = groupBy(final.postings, ({ transaction }) => transaction)
  return [...groupBy(final.transfers, ({ transaction }) => transaction)].flatMap(([id, rows]) =>
    check(
      rows,
      (postings.get(id) ?? []).filter(({ movement }) => !moves_nothing.has(movement)),
    ),
  )
}

function check(rows: FinalTransfer[], postings: FinalPosting[]): string[] {
  const sources = rows.filter(({ side }) => side === 'out')
  const [source] = sources
  if (source === undefined || sources.length > 1) {
    return [`${rows[0]!.id} has ${sources.length} sources`]
  }
  const found = postings
    .map(({ account, movement, amount }) => `${movement} ${amount} of ${account}`)
    .sort()
  const debit = `withdraw ${source.amount} of ${source.account}`
  const expected = [debit, ...creditsOf(source)].sort()
  const is_early =
    source.status === 'in_transit' &&
    found.includes(debit) &&
    new Set(found).size === found.length &&
    found.every((one) => expected.includes(one))
  if (is_early || found.join() === expected.join()) return []
  return [
    `${source.id} is ${source.status} with ${found.join(', ') || 'no postings'}, expected ` +
      expected.join(', '),
  ]
}

function creditsOf({
  account,
  status,
  to,
  amount,
  fee,
  fee_to,
  returned,
}: FinalTransfer): string[] {
  const credits: [amount: number, account: string][] =
    status === 'returned'
      ? [[amount, account]]
      : [
          [amount - fee, to],
          // A fee that its account rejects is returned.
          [fee, returned > 0 ? account : (fee_to ?? account)],
        ]
  return credits
    .filter(([part]) => part > 0)
    .map(([part, receiver]) => `reinstate ${part} of ${receiver}`)
}
