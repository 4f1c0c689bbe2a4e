// A pending transaction ends once: one write wins, one posting ends it, and the status is that
// of the winner. The same holds for payment requests; a paid one has exactly one transaction.

import type { Final, History } from '../history.ts'
import { endOf, groupBy, writesOf } from '../writes.ts'

const ends = new Set(['settle', 'return', 'pay_out', 'release'])

export function pendingEndsOnce(history: History): string[] {
  return [...checkWinners(history), ...checkPostings(history.final), ...checkPaid(history.final)]
}

function checkWinners(history: History): string[] {
  const winners = writesOf(history).filter(
    (write) => write.acknowledged && endOf(write) !== undefined,
  )
  return [...groupBy(winners, ({ target }) => target!)].flatMap(([id, writes]) =>
    writes.length === 1
      ? []
      : [`${id} was ended ${writes.length} times: ${writes.map(({ tag }) => tag).join(', ')}`],
  )
}

function checkPostings({ postings, transactions }: Final): string[] {
  const posted = groupBy(postings, ({ transaction }) => transaction)
  return transactions.flatMap(({ id, status, type }) => {
    const movements = (posted.get(id) ?? []).map(({ movement }) => movement)
    const last = movements.filter((movement) => ends.has(movement))
    const expected = status === 'pending' ? [] : [endingOf(type, status)]
    return last.join() === expected.join()
      ? []
      : [`${id} is a ${status} ${type}, but was ended by ${last.join(', ') || 'nothing'}`]
  })
}

function endingOf(type: string, status: string): string {
  if (type === 'refund') return status === 'succeeded' ? 'pay_out' : 'release'
  return status === 'succeeded' ? 'settle' : 'return'
}

function checkPaid({ payments, transactions }: Final): string[] {
  const created = groupBy(
    transactions
      .filter(({ metadata }) => typeof metadata.payment_request === 'string')
      // Money that arrived after the end. The checks of the provider cover it.
      .filter(({ metadata }) => metadata.late_payment !== true),
    ({ metadata }) => String(metadata.payment_request),
  )
  return payments.flatMap(({ id, status, transaction }) => {
    const ids = (created.get(id) ?? []).map((row) => row.id)
    const expected = status === 'succeeded' ? [transaction] : []
    return ids.join() === expected.join()
      ? []
      : [`${id} is ${status} but has ${ids.length} transactions: ${ids.join(', ')}`]
  })
}
