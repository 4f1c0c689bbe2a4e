// Decides what a transaction on a bank statement pays. A pure function: the same transaction and
// candidates give the same result, in any order of the candidates.

import { countEdits, foldForSearch } from '../primitives/text.ts'
import { findCreditorReferences, findMistypedReferences } from './creditor-reference.ts'
import type { BankEntry, BankTransaction, Direction } from './statements/statement.ts'

/** A payment request that waits for a credit, or a payout that waits for its debit. */
export interface MatchCandidate {
  id: string
  direction: Direction
  amount: number
  currency: string
  /** What a payer or a payment file states: the creditor reference, the id. */
  references: readonly string[]
  /** `ended`: expired or canceled. */
  state: 'open' | 'paid' | 'ended'
  counterparty_name: string | null
}

type MatchResult =
  | { outcome: 'settle'; candidate_id: string }
  | {
      outcome: 'review'
      reason: ReviewReason
      proposals: Proposal[]
      /** More candidates with reasons than are returned. */
      proposals_left_off: number
    }

type ReviewReason =
  /** Pending or informational: the money has not moved. */
  | 'not_booked'
  /** The bank takes back an earlier entry. */
  | 'reversal'
  /** An earlier transfer was returned. */
  | 'returned'
  /** A collective entry whose transactions do not add up to its amount. */
  | 'incomplete_batch'
  /** No reference of a candidate. */
  | 'unknown'
  /** References of several candidates. */
  | 'ambiguous'
  | Deviation

/** How a transaction differs from the candidate that it names. The first one is the reason. */
type Deviation = 'wrong_currency' | 'already_paid' | 'late' | 'short' | 'over'

export interface Proposal {
  candidate_id: string
  reasons: ProposalReason[]
  /** Received minus expected. Null in another currency. */
  difference: number | null
}

type ProposalReason = Evidence | Deviation

type Evidence = 'same_reference' | 'similar_reference' | 'same_amount' | 'same_name'

const proposals_max = 5

export function matchTransaction(
  entry: Pick<BankEntry, 'is_booked' | 'is_reversal' | 'is_complete'>,
  transaction: BankTransaction,
  candidates: readonly MatchCandidate[],
): MatchResult {
  const obstacle = obstacleOf(entry, transaction)
  // What is taken back had the other direction.
  const is_undone = obstacle === 'reversal' || obstacle === 'returned'
  const same_direction = candidates.filter(
    (one) => (one.direction === transaction.direction) !== is_undone,
  )
  const named = same_direction.filter(namedBy(transaction))
  if (named.length === 0) {
    return review(obstacle ?? 'unknown', proposeSimilar(transaction, same_direction))
  }
  const proposals = named.map((one) => propose(one, transaction, ['same_reference']))
  if (obstacle !== undefined) return review(obstacle, proposals)
  const [only, another] = named
  if (another !== undefined) return review('ambiguous', proposals)
  const [deviation] = deviationsOf(only!, transaction)
  if (deviation !== undefined) return review(deviation, proposals)
  return { outcome: 'settle', candidate_id: only!.id }
}

/** Why a transaction must not settle anything, whatever it names. */
function obstacleOf(
  entry: Pick<BankEntry, 'is_booked' | 'is_reversal' | 'is_complete'>,
  transaction: BankTransaction,
): ReviewReason | undefined {
  if (!entry.is_booked) return 'not_booked'
  if (entry.is_reversal) return 'reversal'
  if (transaction.return_reason !== null) return 'returned'
  if (!entry.is_complete) return 'incomplete_batch'
  return undefined
}

function textsOf(transaction: BankTransaction): string[] {
  const { creditor_reference, end_to_end_id, remittance } = transaction
  return [creditor_reference, end_to_end_id, remittance].filter((text) => text !== null)
}

/** In each text separately, so that no reference arises from the end of one and the next. */
function namedBy(transaction: BankTransaction): (candidate: MatchCandidate) => boolean {
  const texts = textsOf(transaction)
  const found = texts.flatMap(findCreditorReferences)
  const compact_texts = texts.map(compactText)
  return ({ references }) =>
    references.some((reference) => {
      const compact = compactText(reference)
      return found.includes(compact) || compact_texts.some((text) => text.includes(compact))
    })
}

/** Banks change case, add spaces, and replace the underscore of an id. */
function compactText(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase()
}

function deviationsOf(candidate: MatchCandidate, transaction: BankTransaction): Deviation[] {
  const deviations: Deviation[] = []
  if (candidate.currency !== transaction.currency) deviations.push('wrong_currency')
  if (candidate.state === 'paid') deviations.push('already_paid')
  if (candidate.state === 'ended') deviations.push('late')
  const difference = differenceOf(candidate, transaction)
  if (difference !== null && difference < 0) deviations.push('short')
  if (difference !== null && difference > 0) deviations.push('over')
  return deviations
}

function differenceOf(candidate: MatchCandidate, transaction: BankTransaction): number | null {
  if (candidate.currency !== transaction.currency) return null
  return transaction.amount - candidate.amount
}

function propose(
  candidate: MatchCandidate,
  transaction: BankTransaction,
  evidence: Evidence[],
): Proposal {
  return {
    candidate_id: candidate.id,
    reasons: [...evidence, ...deviationsOf(candidate, transaction)],
    difference: differenceOf(candidate, transaction),
  }
}

/** Candidates that the payer may have meant without stating a valid reference. */
function proposeSimilar(
  transaction: BankTransaction,
  candidates: readonly MatchCandidate[],
): Proposal[] {
  const mistyped = textsOf(transaction).flatMap(findMistypedReferences)
  return candidates.flatMap((candidate) => {
    const evidence: Evidence[] = []
    if (hasSimilar(candidate, mistyped)) evidence.push('similar_reference')
    if (candidate.state === 'open') {
      if (differenceOf(candidate, transaction) === 0) evidence.push('same_amount')
      if (isSameName(candidate, transaction)) evidence.push('same_name')
    }
    return evidence.length === 0 ? [] : [propose(candidate, transaction, evidence)]
  })
}

// One mistake, or two characters swapped.
const edits_max = 1

function hasSimilar(candidate: MatchCandidate, mistyped: string[]): boolean {
  return candidate.references.some((reference) =>
    mistyped.some((text) => countEdits(text, compactText(reference)) <= edits_max),
  )
}

/** The same words in any order: banks write "Doe, Jane". */
function isSameName(candidate: MatchCandidate, transaction: BankTransaction): boolean {
  const [one, other] = [candidate, transaction].map(({ counterparty_name }) =>
    foldForSearch(counterparty_name ?? '')
      .match(/[\p{L}\p{N}]+/gu)
      ?.sort()
      .join(' '),
  )
  return one !== undefined && one === other
}

const weights: Partial<Record<ProposalReason, number>> = {
  same_reference: 8,
  similar_reference: 4,
  same_amount: 2,
  same_name: 1,
}

function review(reason: ReviewReason, proposals: Proposal[]): MatchResult {
  const weightOf = (one: Proposal) =>
    one.reasons.reduce((sum, because) => sum + (weights[because] ?? 0), 0)
  const sorted = proposals.toSorted(
    (one, other) =>
      weightOf(other) - weightOf(one) || (one.candidate_id < other.candidate_id ? -1 : 1),
  )
  return {
    outcome: 'review',
    reason,
    proposals: sorted.slice(0, proposals_max),
    proposals_left_off: Math.max(0, sorted.length - proposals_max),
  }
}
