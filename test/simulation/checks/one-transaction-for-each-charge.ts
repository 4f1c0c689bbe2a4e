// Every charge at the provider has exactly one transaction, and every transaction of a payment
// request has a charge, except those that an admin settled by hand.

import type { Final, History } from '../history.ts'
import type { ProviderCharge, ProviderState, RecordedCharge } from '../provider/provider-history.ts'
import { groupBy } from '../writes.ts'

export function oneTransactionForEachCharge(history: History): string[] {
  const { final, provider } = history
  if (provider === undefined) return []
  return [
    ...checkCharges(provider, final),
    ...checkRecorded(provider, final.recorded.charges),
    ...checkTransactions(history),
  ]
}

function checkCharges({ charges }: ProviderState, final: Final): string[] {
  const recorded = groupBy(final.recorded.charges, ({ charge }) => charge)
  return charges.flatMap((charge) => {
    const rows = recorded.get(charge.id) ?? []
    const [row] = rows
    const what = `${charge.id} of ${charge.amount} for ${charge.checkout}`
    if (row === undefined || rows.length !== 1) return [`${what} has ${rows.length} transactions`]
    return checkCharge(charge, row, final).map((wrong) => `${what}: ${wrong}`)
  })
}

function checkCharge(charge: ProviderCharge, row: RecordedCharge, final: Final): string[] {
  const checkout = final.recorded.checkouts.find(({ id }) => id === charge.checkout)
  if (checkout === undefined) return ['its checkout does not exist']
  if (checkout.account !== row.account) return [`it was paid to ${row.account}`]
  const transaction = final.transactions.find(({ id }) => id === row.transaction)
  if (transaction === undefined) return [`${row.transaction} does not exist`]
  const { id, type, status, amount, metadata } = transaction
  const found: string[] = []
  if (type !== 'payment' || status !== 'succeeded') found.push(`${id} is a ${status} ${type}`)
  if (amount !== charge.amount || row.amount !== charge.amount) found.push(`${id} is ${amount}`)
  if (metadata.payment_request !== checkout.payment) {
    found.push(`${id} belongs to ${metadata.payment_request} instead of ${checkout.payment}`)
  }
  return found
}

function checkRecorded({ charges }: ProviderState, recorded: RecordedCharge[]): string[] {
  const known = new Set(charges.map(({ id }) => id))
  const by_transaction = groupBy(recorded, ({ transaction }) => transaction)
  return [
    ...recorded
      .filter(({ charge }) => !known.has(charge))
      .map(({ charge, transaction }) => `${transaction} has ${charge}, which was never paid`),
    ...[...by_transaction]
      .filter(([, rows]) => rows.length > 1)
      .map(([id, rows]) => `${id} has ${rows.length} charges`),
  ]
}

function checkTransactions({ final, attempts }: History): string[] {
  const charged = new Set(final.recorded.charges.map(({ transaction }) => transaction))
  const settled = new Set(
    attempts
      .filter(({ operation, result }) => operation === 'settle_request' && result !== 'fail')
      .filter(({ input }) => input.outcome === 'succeeded')
      .map(({ target }) => target),
  )
  return final.transactions
    .filter(({ id, metadata }) => metadata.payment_request !== undefined && !charged.has(id))
    .filter(
      ({ metadata }) => metadata.late_payment || !settled.has(String(metadata.payment_request)),
    )
    .map(({ id, metadata }) => `${id} of ${metadata.payment_request} has no charge`)
}
