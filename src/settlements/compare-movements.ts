// Compares what the ledger recorded for charges, refunds and disputes with what changed the balance
// at the provider. A pure function.

import type { Difference } from '../postgres/difference.ts'
import { timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { type ProviderName, settledOnly } from '../processors/provider.ts'
import type { ProviderMovement } from './queries.ts'

/** What the ledger has for one charge, refund or dispute at a provider. */
export interface LedgerMovement {
  account_id: string
  /** The payment, refund or dispute. Its id contains when it was recorded. */
  recorded_id: string
  provider: ProviderName
  kind: 'charge' | 'refund' | 'dispute'
  /** The id at the provider. */
  source_id: string
  /** Negative if it reduces the balance at the provider. */
  amount: number
  /** Null until the provider has determined it. */
  fee: number | null
  currency: string
  /** The provider has not completed it, so its balance may not show it. */
  is_open: boolean
}

type ComparedLine = 'charges' | 'fees' | 'refunds' | 'disputes'

/** Both sides of one line, as sums in minor units. */
export interface LineSum {
  provider: ProviderName
  currency: string
  line: ComparedLine
  ledger: number
  /** Null if the balance of the provider is not imported. */
  at_provider: number | null
  /** The part of `ledger - at_provider` that is in progress, and not a difference. */
  in_progress: number
}

export interface ComparisonTimes {
  /** By provider, until when its entries are known. Providers that are missing are not compared. */
  imported_at: ReadonlyMap<ProviderName, Date>
  now: Date
  /** Milliseconds by which business time is ahead of real time. */
  offset_ms: number
}

// An open refund, and a charge without a fee, may take this long to reach the provider's balance,
// or a settlement of a provider that lists no others.
const open_max_ms = 14 * 86_400_000
// How long the ledger may lag behind the provider: lost messages are found within minutes.
const lag_max_ms = 3_600_000
// How long an entry may take until the provider lists it.
const listing_ms = 600_000

interface Comparison {
  sums: LineSum[]
  differences: Difference[]
}

/** Both lists must be about the same accounts. */
export function compareMovements(
  ledger: readonly LedgerMovement[],
  provider: readonly ProviderMovement[],
  times: ComparisonTimes,
): Comparison {
  const pairs = new Map<string, Pair>()
  for (const one of ledger) pairs.set(keyOf(one), { ledger: one })
  for (const one of provider) {
    // Entries in two currencies for one object: the second is compared with nothing.
    const key = pairs.get(keyOf(one))?.provider ? `${keyOf(one)} ${one.currency}` : keyOf(one)
    pairs.set(key, { ...pairs.get(key), provider: one })
  }
  const sums = new Map<string, LineSum>()
  const differences: Difference[] = []
  for (const pair of pairs.values()) {
    const is_in_progress = isInProgress(pair, times)
    const lines = linesOf(pair, times, is_in_progress)
    for (const line of lines) addLine(sums, line)
    if (!is_in_progress && lines.some(isDifferent)) differences.push(differenceOf(pair))
  }
  return { sums: [...sums.values()], differences }
}

interface Pair {
  ledger?: LedgerMovement
  provider?: ProviderMovement
}

function keyOf({ account_id, provider, source_id }: LedgerMovement | ProviderMovement): string {
  return `${account_id} ${provider} ${source_id}`
}

function isInProgress({ ledger, provider }: Pair, times: ComparisonTimes): boolean {
  if (provider !== undefined) return times.now.getTime() - provider.at.getTime() < lag_max_ms
  const recorded_ms = timeOfUuid(ledger!.recorded_id).getTime() - times.offset_ms
  const imported_ms = times.imported_at.get(ledger!.provider)?.getTime() ?? 0
  if (recorded_ms > imported_ms - listing_ms) return true
  const has_no_fee = ledger!.kind === 'charge' && ledger!.fee === null
  const is_waiting = ledger!.is_open || has_no_fee || settledOnly.has(ledger!.provider)
  return is_waiting && imported_ms - recorded_ms < open_max_ms
}

function linesOf(pair: Pair, times: ComparisonTimes, is_in_progress: boolean): LineSum[] {
  const { ledger, provider } = pair
  const { kind } = (ledger ?? provider)!
  const name = (ledger ?? provider)!.provider
  const has_balance = times.imported_at.has(name)
  const is_same_currency = ledger?.currency === provider?.currency
  const line = (which: ComparedLine, currency: string, booked: number, found: number): LineSum => ({
    provider: name,
    currency,
    line: which,
    ledger: booked,
    at_provider: has_balance ? found : null,
    in_progress: is_in_progress && has_balance ? booked - found : 0,
  })
  const both = (currency: string, booked?: LedgerMovement, found?: ProviderMovement): LineSum[] => [
    line(lineNames[kind], currency, booked?.amount ?? 0, found?.amount ?? 0),
    // Other fees are the operator's: no account pays them.
    ...(kind === 'charge'
      ? [line('fees', currency, 0 - (booked?.fee ?? 0), 0 - (found?.fee ?? 0))]
      : []),
  ]
  if (ledger && provider && !is_same_currency) {
    return [
      ...both(ledger.currency, ledger, undefined),
      ...both(provider.currency, undefined, provider),
    ]
  }
  return both((ledger ?? provider)!.currency, ledger, provider)
}

const lineNames: Record<LedgerMovement['kind'], ComparedLine> = {
  charge: 'charges',
  refund: 'refunds',
  dispute: 'disputes',
}

function addLine(sums: Map<string, LineSum>, one: LineSum): void {
  const key = `${one.provider} ${one.currency} ${one.line}`
  const sum = sums.get(key)
  if (sum === undefined) return void sums.set(key, { ...one })
  sum.ledger += one.ledger
  if (sum.at_provider !== null) sum.at_provider += one.at_provider ?? 0
  sum.in_progress += one.in_progress
}

function isDifferent({ ledger, at_provider }: LineSum): boolean {
  return at_provider !== null && ledger !== at_provider
}

function differenceOf({ ledger, provider }: Pair): Difference {
  const { account_id, kind, source_id, provider: name } = (ledger ?? provider)!
  return {
    rule: 'ledger_matches_provider',
    account_id: toTypeId('account', account_id),
    object: `${kind} ${source_id}`,
    found: ledger === undefined ? 'nothing in the ledger' : `${describe(ledger)} in the ledger`,
    expected: `${provider === undefined ? 'nothing' : describe(provider)}, as at ${name}`,
  }
}

function describe({ amount, fee, currency, kind }: LedgerMovement | ProviderMovement): string {
  const with_fee = kind === 'charge' ? ` with a fee of ${fee ?? 'unknown'}` : ''
  return `${amount} ${currency}${with_fee}`
}
