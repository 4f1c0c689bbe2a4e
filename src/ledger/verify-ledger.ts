// Rebuilds balances from postings and compares them with the accounts' balance rows.

import type { Queryable } from '../postgres/database.ts'
import { type AccountRange, type Difference, differences_max } from '../postgres/difference.ts'
import { toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'
import type { AccountLock } from './lock-row.ts'
import {
  effectOn,
  type Movement,
  movements,
  ofTransactions,
  postingRules,
} from './posting-rules.ts'
import {
  type BrokenPosting,
  type MovementEffect,
  type PostingFacts,
  selectBrokenPostings,
  selectDisputeMovements,
  selectLocksAfter,
  selectMovementsOfPart,
  selectPayoutMovements,
  selectPostingFacts,
  selectPostingParts,
  sumPostingSequences,
} from './verify-queries.ts'

export type { PostingFacts, TransactionMovements } from './verify-queries.ts'

/** The sum of all accounts' posting counters, for progress reports. */
export function countPostings(db: Queryable): Promise<number> {
  return sumPostingSequences(db)
}

export function listLocks(
  db: Queryable,
  after_account_id: string,
  limit: number,
): Promise<AccountLock[]> {
  return selectLocksAfter(db, after_account_id, limit)
}

/** Fingerprints of an account's postings in 256 parts, to locate a mismatch. */
export const fingerprintParts = selectPostingParts
export const listMovements = selectMovementsOfPart
export const listDisputeMovements = selectDisputeMovements
export const listPayoutMovements = selectPayoutMovements

interface LedgerVerification {
  facts: PostingFacts[]
  differences: Difference[]
}

/** `locks` must cover the same range and come from the same snapshot. */
export async function verifyLedger(
  db: Queryable,
  range: AccountRange,
  locks: AccountLock[],
): Promise<LedgerVerification> {
  const facts = await selectPostingFacts(db, range, effects)
  const facts_of = new Map(facts.map((one) => [one.account_id, one]))
  const known = new Set(locks.map(({ account_id }) => account_id))
  const differences = [
    ...locks.flatMap((lock) => checkBalance(lock, facts_of.get(lock.account_id))),
    ...facts.filter(({ account_id }) => !known.has(account_id)).map(checkOrphan),
  ]
  for (const { account_id, broken } of facts) {
    if (broken > 0) differences.push(...(await nameBroken(db, account_id)))
  }
  return { facts, differences }
}

const begins = new Set<Movement>([
  ...Object.values(postingRules).map(({ pending }) => pending),
  'payout_hold',
])

const effects: MovementEffect[] = (Object.keys(movements) as Movement[]).map((movement) => ({
  movement,
  of_transaction: ofTransactions.includes(movement),
  begins: begins.has(movement),
  external: effectOn('external', movement),
  incoming: effectOn('incoming', movement),
  available: effectOn('available', movement),
  held: effectOn('held', movement),
  owed: effectOn('owed', movement),
}))

const noFacts = { external: 0, incoming: 0, available: 0, held: 0, owed: 0, last_sequence: 0 }

/** Compares the account's balance row with the sums of its postings. */
function checkBalance(lock: AccountLock, facts: PostingFacts | undefined): Difference[] {
  const rebuilt = facts ?? noFacts
  const inside = lock.incoming + lock.available + lock.held - lock.owed
  const account_id = toTypeId('account', lock.account_id)
  const compared: [rule: string, object: string, found: number, expected: number][] = [
    ['balance_is_rebuilt', 'incoming', lock.incoming, rebuilt.incoming],
    ['balance_is_rebuilt', 'available', lock.available, rebuilt.available],
    ['balance_is_rebuilt', 'held', lock.held, rebuilt.held],
    ['balance_is_rebuilt', 'owed', lock.owed, -rebuilt.owed],
    ['buckets_sum_to_zero', 'incoming + available + held − owed', inside, -rebuilt.external],
    ['posting_sequence_matches', 'posting_sequence', lock.posting_sequence, rebuilt.last_sequence],
  ]
  return [
    ...compared
      .filter(([, , found, expected]) => found !== expected)
      .map(([rule, object, found, expected]) => {
        return { rule, account_id, object, found: String(found), expected: String(expected) }
      }),
    ...checkDebt(account_id, lock),
    ...(facts === undefined ? [] : checkHistory(account_id, lock, facts)),
  ]
}

function checkDebt(account_id: string, { available, owed }: AccountLock): Difference[] {
  if (available <= 0 || owed <= 0) return []
  const found = `${owed} owed and ${available} available`
  const expected = 'nothing available while the account owes'
  return [{ rule: 'owed_is_repaid_first', account_id, object: 'owed', found, expected }]
}

/** Checks the rules that must hold after every posting, not only after the last. */
function checkHistory(account_id: string, lock: AccountLock, facts: PostingFacts): Difference[] {
  const differences: Difference[] = (['incoming', 'available', 'held'] as const)
    .filter((bucket) => facts[`lowest_${bucket}`] < 0)
    .map((bucket) => ({
      rule: 'no_bucket_is_negative',
      account_id,
      object: bucket,
      found: `${facts[`lowest_${bucket}`]} at its lowest`,
      expected: '0 or more',
    }))
  if (facts.highest_owed > 0) {
    const found = `${-facts.highest_owed} at its lowest`
    const rule = 'no_bucket_is_negative'
    differences.push({ rule, account_id, object: 'owed', found, expected: '0 or more' })
  }
  if (facts.last_at <= lock.last_at) return differences
  return [...differences, lastAtDifference(account_id, lock, 'posting', facts.last_at)]
}

/** Nothing of an account may be newer than its row's `last_at`. */
export function lastAtDifference(
  account_id: string,
  lock: { last_at: Date },
  what: string,
  at: Date,
): Difference {
  const found = `a ${what} of ${toIso(at)}`
  const expected = `none after ${toIso(lock.last_at)}`
  return { rule: 'last_at_is_latest', account_id, object: 'last_at', found, expected }
}

function checkOrphan({ account_id, postings }: PostingFacts): Difference {
  return {
    rule: 'postings_have_a_balance',
    account_id: toTypeId('account', account_id),
    object: 'postings',
    found: `${postings} postings of an account without a balance`,
    expected: 'none',
  }
}

async function nameBroken(db: Queryable, account_id: string): Promise<Difference[]> {
  const broken = await selectBrokenPostings(db, account_id, effects, differences_max)
  return broken.flatMap((posting) => checkPosting(toTypeId('account', account_id), posting))
}

/** Compares a posting with the previous one, and with the time in its transaction's id. */
function checkPosting(account_id: string, posting: BrokenPosting): Difference[] {
  const object = `posting ${posting.sequence}`
  const differences: Difference[] = []
  const report = (rule: string, found: string, expected: string) =>
    differences.push({ rule, account_id, object, found, expected })
  const { sequence, sequence_expected, available_after, available_expected } = posting
  if (sequence !== sequence_expected) {
    report('postings_have_no_gaps', `number ${sequence}`, `number ${sequence_expected}`)
  }
  if (available_after !== available_expected) {
    const found = `${available_after} available after it`
    report('available_after_is_rebuilt', found, String(available_expected))
  }
  const { at, at_before, began_at, begins } = posting
  if (at_before !== null && at < at_before) {
    report('times_do_not_decrease', toIso(at), `${toIso(at_before)} or later`)
  }
  if (at < began_at || (begins && at > began_at)) {
    const expected = `${toIso(began_at)}${begins ? '' : ' or later'}, the transaction's created_at`
    report('postings_follow_their_transaction', toIso(at), expected)
  }
  if (posting.repaid_late) {
    const found = `${available_after} available while the account owes`
    report('owed_is_repaid_first', found, 'a repayment')
  }
  if (posting.without_cause) {
    const expected = 'the transaction of the posting that caused it'
    report('debts_have_a_cause', 'another transaction', expected)
  }
  return differences
}
