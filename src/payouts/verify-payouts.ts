// Compares payouts with the postings that hold, pay, release and return their amounts.

import type { AccountLock } from '../ledger/lock-row.ts'
import {
  lastAtDifference,
  listPayoutMovements,
  type PostingFacts,
} from '../ledger/verify-ledger.ts'
import type { Queryable } from '../postgres/database.ts'
import { type AccountRange, type Difference, differences_max } from '../postgres/difference.ts'
import { minorDigits } from '../primitives/currencies.ts'
import { toTypeId } from '../primitives/ids.ts'
import { decimalText } from '../primitives/money.ts'
import {
  type CheckedExport,
  type ExportedSum,
  existPayouts,
  type PayoutFacts,
  selectCheckedExports,
  selectPaidPayouts,
  selectPayoutFacts,
  selectPayoutStates,
  selectShownRefunds,
  sumExportedPayouts,
  sumExportedRefunds,
} from './verify-queries.ts'

export type { PaidPayout, ShownRefund } from './verify-queries.ts'

/** For reconciliation. */
export const listPaidPayouts = selectPaidPayouts
export const listShownRefunds = selectShownRefunds
export const hasPayouts = existPayouts

/** `locks` and `postings` must cover the same range and come from the same snapshot. */
export async function verifyPayouts(
  db: Queryable,
  range: AccountRange,
  locks: AccountLock[],
  postings: PostingFacts[],
): Promise<Difference[]> {
  const facts = await selectPayoutFacts(db, range)
  const lock_of = new Map(locks.map((lock) => [lock.account_id, lock]))
  const differences = facts.flatMap((one) => checkFacts(one, lock_of.get(one.account_id)))
  const expected = new Map(facts.map((one) => [one.account_id, one.fingerprint]))
  const posted = new Map(
    postings.map(({ account_id, payout_fingerprint }) => [account_id, payout_fingerprint]),
  )
  for (const account_id of new Set([...expected.keys(), ...posted.keys()])) {
    if ((expected.get(account_id) ?? null) === (posted.get(account_id) ?? null)) continue
    differences.push(...(await nameDisagreement(db, account_id)))
  }
  return differences
}

function checkFacts(facts: PayoutFacts, lock: AccountLock | undefined): Difference[] {
  const account_id = toTypeId('account', facts.account_id)
  const of_account = { account_id, object: 'payouts' }
  if (lock === undefined) {
    const found = 'payouts of an account without a balance'
    return [{ rule: 'payouts_have_a_balance', ...of_account, found, expected: 'none' }]
  }
  const differences: Difference[] = [...new Set(facts.currencies)]
    .filter((currency) => currency !== lock.currency)
    .map((found) => ({ rule: 'currency_matches', ...of_account, found, expected: lock.currency }))
  if (facts.newest_id > lock.last_transaction_id) {
    const found = `${toTypeId('payout', facts.newest_id)} after the last id of the account`
    const expected = 'no later id'
    differences.push({ rule: 'last_transaction_id_is_latest', ...of_account, found, expected })
  }
  if (facts.last_at <= lock.last_at) return differences
  return [...differences, lastAtDifference(account_id, lock, 'payout', facts.last_at)]
}

const movements: Record<string, string[]> = {
  pending_approval: [],
  approved: [],
  in_transit: [],
  paid: ['payout_pay'],
  failed: ['payout_release'],
  canceled: ['payout_release'],
  returned: ['payout_pay', 'payout_return'],
}

async function nameDisagreement(db: Queryable, account_id: string): Promise<Difference[]> {
  const states = await selectPayoutStates(db, account_id)
  const posted = await listPayoutMovements(db, account_id)
  const expected_of = new Map(
    states.map(({ id, status, amount }) => {
      const names = ['payout_hold', ...(movements[status] ?? [])]
      return [id, names.map((name) => `${name} ${amount}`).join(', ')]
    }),
  )
  const found_of = new Map(posted.map((one) => [one.transaction_id, one.movements.join(', ')]))
  return [...new Set([...expected_of.keys(), ...found_of.keys()])]
    .filter((id) => expected_of.get(id) !== found_of.get(id))
    .slice(0, differences_max)
    .map((id) => ({
      rule: 'payouts_have_their_postings',
      account_id: toTypeId('account', account_id),
      object: toTypeId('payout', id),
      found: found_of.get(id) ?? 'no postings',
      expected: expected_of.get(id) ?? 'no postings',
    }))
}

/** A payment file has the sum of its payouts and refunds. Over all accounts, in one snapshot. */
export async function verifyExports(db: Queryable): Promise<Difference[]> {
  const stored = new Map((await selectCheckedExports(db)).map((one) => [one.id, one]))
  const payouts = new Map((await sumExportedPayouts(db)).map((one) => [one.export_id, one]))
  const refunds = new Map((await sumExportedRefunds(db)).map((one) => [one.export_id, one]))
  const ids = new Set([...stored.keys(), ...payouts.keys(), ...refunds.keys()])
  const differences = [...ids].flatMap((id) => {
    const file = stored.get(id)
    const expected = describeExport(...sumOf(payouts.get(id), refunds.get(id)))
    const found = file === undefined ? 'no payment file' : describeFile(file)
    if (found === expected) return []
    const object = toTypeId('payout_export', id)
    return [{ rule: 'exports_have_their_sum', account_id: null, object, found, expected }]
  })
  return differences.slice(0, differences_max)
}

type ExportFacts = [payouts: number, refunds: number, amount: number, currency: string]

function sumOf(payouts: ExportedSum = no_rows, refunds: ExportedSum = no_rows): ExportFacts {
  const currencies = new Set([...payouts.currencies, ...refunds.currencies])
  return [payouts.n, refunds.n, payouts.amount + refunds.amount, [...currencies].join()]
}

const no_rows: ExportedSum = { export_id: '', n: 0, amount: 0, currencies: [] }

function describeExport(...[payouts, refunds, amount, currency]: ExportFacts): string {
  return `${payouts} payouts, ${refunds} refunds, ${amount} ${currency}`
}

function describeFile({ payouts, refunds, amount, currency, control_sum }: CheckedExport): string {
  const written = decimalText(amount, minorDigits(currency))
  if (control_sum !== written) return `a file with the sum ${control_sum} instead of ${written}`
  return describeExport(payouts, refunds, amount, currency)
}
