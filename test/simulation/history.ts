// The record of a run, and the only input of the checks: every request with its response, every
// snapshot, fault and webhook, and the database at the end. Times are in milliseconds since the
// start of the run, on the runner's clock.

import type { Notice, ProviderState, RecordedMoney, Visit } from './provider/provider-history.ts'

type WriteKind =
  | 'create'
  | 'cancel'
  | 'settle'
  | 'patch'
  | 'request'
  | 'settle_request'
  | 'cancel_request'
  | 'pay'
  | 'transfer'
  | 'revoke'

type ReadKind = 'get' | 'get_request' | 'list' | 'balance'

export type Operation = WriteKind | ReadKind

/** The intent of a write: enough to recognize its effect. */
export interface Input {
  type?: 'payment' | 'credit' | 'refund'
  amount?: number
  /** The payment that a linked refund refers to. */
  refund_of?: string
  outcome?: 'succeeded' | 'failed'
  /** The metadata key that a patch sets. No other write sets it. */
  patch_key?: string
  /** The credential that a revocation ends. */
  revoked?: string
}

/**
 * One request, sent once. ok: a complete 2xx response. fail: a definite rejection. info: the
 * outcome is unknown until the end of the run.
 */
export interface Attempt {
  kind: 'attempt'
  client: number
  operation: Operation
  /** Shared by all attempts at one write, and stored in the row's metadata; null for reads. */
  tag: string | null
  /** Whether it had an Idempotency-Key, which is the tag. */
  keyed: boolean
  credential: string
  account: string
  /** The object in the request. */
  target: string | null
  input: Input
  server: number
  sent_ms: number
  done_ms: number
  result: 'ok' | 'fail' | 'info'
  /** Null if there was no response. */
  status: number | null
  /** The error code of a rejection, or the connection error. */
  error: string | null
  retry_after: string | null
  replayed: boolean
  text: string
}

/** Pages of one list, read in order from the newest row. */
export interface Walk {
  kind: 'walk'
  client: number
  account: string
  begun_ms: number
  done_ms: number
  /** Whether it reached the end of the list. Otherwise it stopped after some pages. */
  ended: boolean
  pages: { id: string; status: string }[][]
}

export interface FinalBalance {
  account: string
  available: number
  incoming: number
  held: number
  /** A debt to the operator. */
  owed: number
  posting_sequence: number
  event_sequence: number
}

/** A balance and the data it is derived from, read in the same snapshot. */
export interface AuditRow extends FinalBalance {
  sum_external: number
  sum_available: number
  sum_incoming: number
  sum_held: number
  sum_owed: number
  postings: number
  events: number
  /** Postings that begin a transaction, and those that end one. */
  begun: number
  ended: number
  transactions: number
  transactions_ended: number
  created_events: number
  ended_events: number
}

interface Audit {
  kind: 'audit'
  at_ms: number
  rows: AuditRow[]
}

export interface Fault {
  kind: 'fault'
  name: string
  begun_ms: number
  /** When all servers were ready again, or the fault was over. */
  healed_ms: number
  /** The server that was killed, if it was one of several. */
  server?: number
  /** For a graceful stop. */
  exit?: { code: number | null; signal: string | null; took_ms: number }
  /** How many starts failed before the server recovered. */
  failed_starts?: number
  /** How many waits for a synchronous standby were canceled or terminated. */
  interrupted_waits?: number
  /** Whether the standby became the primary. */
  failed_over?: boolean
  /** How long the cluster had no primary. */
  without_primary_ms?: number
  /** Why the server did not recover. */
  broken?: string
}

export interface Webhook {
  kind: 'webhook'
  at_ms: number
  account: string
  event: string
  sequence: number
  type: string
  object: string
  status: string
  /** The header, which receivers use to detect repeated deliveries. */
  webhook_id: string
  /** A hash of the body. */
  body_hash: string
}

export interface FinalPosting {
  account: string
  sequence: number
  transaction: string
  movement: string
  amount: number
  available_after: number
  at_ms: number
}

interface FinalTransaction {
  account: string
  id: string
  status: string
  type: string
  amount: number
  refund_of: string | null
  metadata: Record<string, unknown>
}

/** A row of one account of a transfer: `out` in the source, `in` or `fee` in a receiving one. */
export interface FinalTransfer {
  account: string
  id: string
  /** The id in its postings. */
  transaction: string
  side: string
  status: string
  to: string
  amount: number
  fee: number
  fee_to: string | null
  returned: number
  /** Only the row of the source has the tag. */
  metadata: { tag?: string }
}

interface FinalPayment {
  account: string
  id: string
  status: string
  amount: number
  transaction: string | null
  metadata: Record<string, unknown>
}

export interface FinalEvent {
  account: string
  sequence: number
  id: string
  type: string
  object: string
}

export interface Final {
  kind: 'final'
  balances: FinalBalance[]
  postings: FinalPosting[]
  transactions: FinalTransaction[]
  payments: FinalPayment[]
  transfers: FinalTransfer[]
  events: FinalEvent[]
  /** What Florin recorded about the payment provider. */
  recorded: RecordedMoney
  /** The differences that `florin verify` reports. */
  differences: string[]
}

export type HistoryRecord =
  | Attempt
  | Walk
  | Audit
  | Fault
  | Webhook
  | Visit
  | Notice
  | ProviderState
  | Final

export interface History {
  attempts: Attempt[]
  walks: Walk[]
  audits: Audit[]
  faults: Fault[]
  webhooks: Webhook[]
  visits: Visit[]
  notices: Notice[]
  final: Final
  /** Only in a run with a payment provider. */
  provider: ProviderState | undefined
}

export function emptyHistory(): History {
  const final: Final = {
    kind: 'final',
    balances: [],
    postings: [],
    transactions: [],
    payments: [],
    transfers: [],
    events: [],
    recorded: { checkouts: [], charges: [], refunds: [], disputes: [], inbox: [] },
    differences: [],
  }
  const lists = { attempts: [], walks: [], audits: [], faults: [], webhooks: [] }
  return { ...lists, visits: [], notices: [], final, provider: undefined }
}

export function addRecord(history: History, record: HistoryRecord): void {
  switch (record.kind) {
    case 'attempt':
      history.attempts.push(record)
      break
    case 'walk':
      history.walks.push(record)
      break
    case 'audit':
      history.audits.push(record)
      break
    case 'fault':
      history.faults.push(record)
      break
    case 'webhook':
      history.webhooks.push(record)
      break
    case 'visit':
      history.visits.push(record)
      break
    case 'notice':
      history.notices.push(record)
      break
    case 'provider':
      history.provider = record
      break
    case 'final':
      history.final = record
  }
}

/** Parses the lines of a history file. */
export function parseHistory(text: string): History {
  const history = emptyHistory()
  for (const line of text.split('\n')) if (line !== '') addRecord(history, JSON.parse(line))
  return history
}
