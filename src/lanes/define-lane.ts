// The batch engine. A batch is one database transaction in two flushes: BEGIN, locks and reads;
// then writes and COMMIT. In between, its commands are decided in arrival order. Results are
// returned only after every statement, including COMMIT, has succeeded.

import { type Actor, type NewAuditEntry, recordAuditEntries } from '../audit/record-audit-entry.ts'
import type { NumberedEvent } from '../events/event.ts'
import { recordEvents } from '../events/record-event.ts'
import type { StoredResponse } from '../idempotency/idempotency-key.ts'
import {
  findStoredResponses,
  keyText,
  requireSameRequest,
  storeResponses,
} from '../idempotency/stored-responses.ts'
import { findLiveTokens } from '../identity/sessions/find-live-tokens.ts'
import { invalidToken } from '../identity/sessions/require-live-token.ts'
import { listClosings } from '../ledger/closings.ts'
import { eventEvidence } from '../ledger/event-evidence.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import {
  findLockedElsewhere,
  lockBalances,
  lockBalancesSkipLocked,
  writeLedger,
} from '../ledger/write-ledger.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { toTypeId } from '../primitives/ids.ts'
import { eventTrace } from '../tracing/trace-context.ts'
import type { Span } from '../tracing/tracer.ts'
import { runWithBisection } from './bisection.ts'
import { decideBulk } from './decide-bulk.ts'
import {
  type BatchRunners,
  type BulkEntry,
  type CommandEntry,
  type CommandResult,
  locked_elsewhere,
  type Outcome,
} from './lane-entry.ts'
import { LockedAccounts } from './locked-accounts.ts'
import type { LaneRow, RowSet } from './row-set.ts'
import { runByShard } from './run-by-shard.ts'

/** The parts of a lane that depend on the noun. */
interface LaneSpec<Command, Row extends LaneRow, Rows extends RowSet<Row>> {
  /**
   * Reads what the commands need. Statements that are sent before the first `await` leave in the
   * flush of the locks, and run after them. `locking` resolves when the locks are held.
   */
  read(tx: Tx, commands: Command[], locking: Promise<LockedAccounts>): Promise<Rows>
  /** Decides one command, or throws. Pure, except that it updates the set. */
  decide(set: Rows, command: Command): Row
  /** Sends the rows of the set. Balances, postings and events are written by the engine. */
  write(tx: Tx, set: Rows): void
}

type LaneDefinition<Command, Row> = (db: Db) => BatchRunners<Entry<Command, Row>, CommandResult>

type Entry<Command, Row> = CommandEntry<Command, Row> | BulkEntry<Command, Row>

export function defineLane<Command, Row extends LaneRow, Rows extends RowSet<Row>>(
  lane: LaneSpec<Command, Row, Rows>,
): LaneDefinition<Command, Row> {
  return (db) => ({
    shards: db.shards,
    skipping: (entries) =>
      runByShard(db, entries, (of_shard) =>
        runWithBisection(of_shard, (some) =>
          db.batch((tx) => runBatch(tx, lane, some, skipLocked)),
        ),
      ),
    // One account, so one shard. A separate pool: batches that wait never starve the others.
    waiting: (entries) =>
      runWithBisection(entries, (some) =>
        db.waiting_pool.batch((tx) => runBatch(tx, lane, some, waitForLocks)),
      ),
  })
}

interface LockMode {
  lock(tx: Tx, account_ids: string[]): Promise<AccountLock[]>
  /** Which of the accounts that were not locked are locked by another transaction. */
  findSkipped(tx: Tx, account_ids: string[]): Promise<ReadonlySet<string>>
}

const none: ReadonlySet<string> = new Set()

const skipLocked: LockMode = { lock: lockBalancesSkipLocked, findSkipped: findLockedElsewhere }
const waitForLocks: LockMode = { lock: lockBalances, findSkipped: async () => none }

async function runBatch<Command, Row extends LaneRow, Rows extends RowSet<Row>>(
  tx: Tx,
  lane: LaneSpec<Command, Row, Rows>,
  entries: Entry<Command, Row>[],
  mode: LockMode,
): Promise<Outcome<CommandResult>[]> {
  const account_ids = [...new Set(entries.map(({ account_id }) => account_id))]
  // Sent first: everything else must be read under the locks.
  const locking = mode.lock(tx, account_ids).then((locks) => openAccounts(tx, locks))
  const tokens = entries.flatMap(({ token }) => token ?? [])
  const keys = entries.flatMap(({ key }) => key ?? [])
  const commands = entries.flatMap((entry) =>
    'commands' in entry ? entry.commands : entry.command,
  )
  const [{ locks }, live_tokens, stored_responses, set] = await Promise.all([
    locking,
    findLiveTokens(tx, tokens),
    findStoredResponses(tx, keys),
    lane.read(tx, commands, locking),
  ])
  const missing = account_ids.filter((account_id) => !locks.has(account_id))
  const skipped_ids = missing.length === 0 ? none : await mode.findSkipped(tx, missing)
  const context = { live_tokens, stored_responses, skipped_ids }
  const records: BatchRecords = { responses: [], audit_entries: [] }
  const outcomes = entries.map((entry) => {
    const events_before = set.locked.events.length
    const outcome = decideEntry(lane, set, entry, context, records)
    if (entry.span) linkEvents(entry.span, set.locked.events.slice(events_before))
    return outcome
  })
  writeChanges(tx, set, lane.write)
  storeResponses(tx, records.responses)
  recordAuditEntries(tx, records.audit_entries)
  return outcomes
}

/** From the trace of the request to those of the webhook deliveries. */
function linkEvents(span: Span, events: NumberedEvent[]): void {
  for (const { id, type } of events) {
    const attributes = { 'florin.event_id': toTypeId('event', id), 'florin.event_type': type }
    span.link(eventTrace(id), attributes)
  }
}

async function openAccounts(tx: Tx, locks: AccountLock[]): Promise<LockedAccounts> {
  const has_closed = locks.some(({ status }) => status === 'closed')
  return new LockedAccounts(tx.now, locks, has_closed ? await listClosings(tx) : [])
}

/** The state of the batch's callers, read under the locks. */
interface BatchContext {
  live_tokens: ReadonlySet<string>
  stored_responses: ReadonlyMap<string, StoredResponse>
  /** Accounts locked by another transaction: their entries are not decided. */
  skipped_ids: ReadonlySet<string>
}

/** The records that are written together with a change. */
interface BatchRecords {
  responses: StoredResponse[]
  audit_entries: { actor: Actor; audit_entry: NewAuditEntry }[]
}

/** Checks the token, then the stored response of the idempotency key, then decides the command. */
function decideEntry<Command, Row extends LaneRow, Rows extends RowSet<Row>>(
  lane: LaneSpec<Command, Row, Rows>,
  set: Rows,
  entry: Entry<Command, Row>,
  { live_tokens, stored_responses, skipped_ids }: BatchContext,
  records: BatchRecords,
): Outcome<CommandResult> {
  if (skipped_ids.has(entry.account_id)) return locked_elsewhere
  try {
    const { token, key } = entry
    if (token && !live_tokens.has(token.token_hash.toString('latin1'))) {
      throw invalidToken(token.kind)
    }
    const stored = key && stored_responses.get(keyText(key))
    if (key && stored) {
      requireSameRequest(key, stored)
      return { value: { status: stored.status, body: stored.body, replayed: true } }
    }
    const { body, changed } =
      'commands' in entry ? decideBulk(lane.decide, set, entry) : decideCommand(lane, set, entry)
    if (key) records.responses.push({ ...key, status: entry.status, body: Buffer.from(body) })
    if (entry.audit_entry) {
      const { actor, action, details } = entry.audit_entry
      for (const { id: object_id, account_id } of changed) {
        const audit_entry = { action, object_id, account_id, details }
        records.audit_entries.push({ actor, audit_entry })
      }
    }
    return { value: { status: entry.status, body, replayed: false } }
  } catch (error) {
    return { error }
  }
}

function decideCommand<Command, Row extends LaneRow, Rows extends RowSet<Row>>(
  lane: LaneSpec<Command, Row, Rows>,
  set: Rows,
  entry: CommandEntry<Command, Row>,
): { body: string; changed: Row[] } {
  const changes_before = set.changes
  const row = lane.decide(set, entry.command)
  return { body: entry.render(row), changed: set.changes > changes_before ? [row] : [] }
}

/** Writes all changes of a set, whose rows `writeRows` sends; also used outside the lanes. */
export function writeChanges<Rows extends RowSet<LaneRow>>(
  tx: Tx,
  set: Rows,
  writeRows: (tx: Tx, set: Rows) => void,
): void {
  const { touched, postings, events } = set.locked
  writeLedger(tx, [...touched], postings)
  writeRows(tx, set)
  recordEvents(tx, events)
  proveChanges(tx, set.locked)
}

function proveChanges(tx: Tx, { events, touched }: LockedAccounts): void {
  const [lock] = touched
  if (events.length > 0) tx.proveBy(eventEvidence(events.at(-1)!))
  else if (lock !== undefined) tx.proveByRow(lock.account_id)
}
