// What a run leaves behind, and all that the checks look at: every request with its answer, every
// snapshot, every fault, every webhook, and the database as it was at the end. Times are
// milliseconds since the run began, of one clock: the runner's.

export type WriteKind =
  | 'create'
  | 'cancel'
  | 'settle'
  | 'patch'
  | 'request'
  | 'settle_request'
  | 'cancel_request'
  | 'pay'
  | 'revoke'

export type ReadKind = 'get' | 'get_request' | 'list' | 'balance'

export type Operation = WriteKind | ReadKind

/** What the caller meant to do; enough to know its effect when it is seen. */
export interface Input {
  type?: 'payment' | 'credit' | 'refund'
  amount?: number
  /** The payment that a linked refund names. */
  refund_of?: string
  outcome?: 'succeeded' | 'failed'
  /** The metadata key that a patch sets, which nobody else sets. */
  patch_key?: string
  /** The credential that a revocation ends. */
  revoked?: string
}

/**
 * One request, sent once. ok: a 2xx that was read whole. fail: a definite refusal. info: anything
 * else; nobody knows whether it happened until the end.
 */
export interface Attempt {
  kind: 'attempt'
  client: number
  operation: Operation
  /** What all attempts at one write have in common, and its row's metadata too; null for reads. */
  tag: string | null
  /** Whether an Idempotency-Key went with it: the tag. */
  keyed: boolean
  credential: string
  account: string
  /** The object that it names. */
  target: string | null
  input: Input
  server: number
  sent_ms: number
  done_ms: number
  result: 'ok' | 'fail' | 'info'
  /** Null when no answer came. */
  status: number | null
  /** The code of a refusal, or what became of the connection. */
  error: string | null
  retry_after: string | null
  replayed: boolean
  text: string
}

/** Pages of one list, read one after the other from the newest. */
export interface Walk {
  kind: 'walk'
  client: number
  account: string
  begun_ms: number
  done_ms: number
  /** Whether it came to the list's end; else it stopped after some pages. */
  ended: boolean
  pages: { id: string; status: string }[][]
}

export interface FinalBalance {
  account: string
  available: number
  incoming: number
  held: number
  posting_sequence: number
  event_sequence: number
}

/** Books and what they should be made of, counted in the same snapshot. */
export interface AuditRow extends FinalBalance {
  sum_external: number
  sum_available: number
  sum_incoming: number
  sum_held: number
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

export interface Audit {
  kind: 'audit'
  at_ms: number
  rows: AuditRow[]
}

export interface Fault {
  kind: 'fault'
  name: string
  begun_ms: number
  /** When all was serving again, or the fault was over. */
  healed_ms: number
  /** For a stop that was asked for. */
  exit?: { code: number | null; signal: string | null; took_ms: number }
  /** How often a server gave its start up before it came back. */
  failed_starts?: number
  /** How many waits for a synchronous standby were canceled or terminated. */
  interrupted_waits?: number
  /** Whether the standby became the primary. */
  failed_over?: boolean
  /** Why it did not come back. */
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

export interface FinalTransaction {
  account: string
  id: string
  status: string
  type: string
  amount: number
  refund_of: string | null
  metadata: Record<string, unknown>
}

export interface FinalPayment {
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
  events: FinalEvent[]
  /** What `florin verify` names. */
  differences: string[]
}

export type HistoryRecord = Attempt | Walk | Audit | Fault | Webhook | Final

export interface History {
  attempts: Attempt[]
  walks: Walk[]
  audits: Audit[]
  faults: Fault[]
  webhooks: Webhook[]
  final: Final
}

export function emptyHistory(): History {
  const final: Final = {
    kind: 'final',
    balances: [],
    postings: [],
    transactions: [],
    payments: [],
    events: [],
    differences: [],
  }
  return { attempts: [], walks: [], audits: [], faults: [], webhooks: [], final }
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
    case 'final':
      history.final = record
  }
}

/** From the lines of a kept file. */
export function parseHistory(text: string): History {
  const history = emptyHistory()
  for (const line of text.split('\n')) if (line !== '') addRecord(history, JSON.parse(line))
  return history
}
