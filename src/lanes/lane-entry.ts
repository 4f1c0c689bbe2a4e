// What a lane runs: entries, each with a command, and their outcomes.

import type { Actor, NewAuditEntry } from '../audit/record-audit-entry.ts'
import type { IdempotencyKey } from '../idempotency/idempotency-key.ts'
import type { TokenToCheck } from '../identity/sessions/find-live-tokens.ts'
import type { Shards } from '../postgres/shards.ts'
import type { Refusal } from '../primitives/refusal.ts'
import type { Span } from '../tracing/tracer.ts'

export interface LaneEntry {
  account_id: string
  /** Background work, which must not crowd out requests: at most a quarter of a batch. */
  background: boolean
  /** False once the client has disconnected. */
  isWanted(): boolean
  /** For effects that already happened elsewhere, such as a card charge: retried, not rejected. */
  must_run?: true
  /** How many changes it counts as in queues and batches; 1 if absent. */
  weight?: number
  /** That of its request, if the trace is recorded. */
  span?: Span | undefined
}

/** What an entry has besides its commands. */
interface RequestEntry extends LaneEntry {
  /** Checked again under the lock; undefined for background work. */
  token: TokenToCheck | undefined
  key: IdempotencyKey | undefined
  /** Written to the audit log if the command changes something. */
  audit_entry?: CommandAuditEntry | undefined
  status: number
}

export interface CommandEntry<Command, Row> extends RequestEntry {
  command: Command
  render(row: Row): string
}

/** Commands of one account that share one token, one Idempotency-Key and one response. */
export interface BulkEntry<Command, Row> extends RequestEntry {
  /** They may only insert rows: see `RowSet.savepoint`. */
  commands: Command[]
  /** Whether one rejected command rejects all of them. */
  atomic: boolean
  /** The list in the request body, for messages. */
  field: string
  weight: number
  render(items: BulkItem<Row>[]): string
}

export type BulkItem<Row> = { row: Row } | { refusal: Refusal }

/** Has no object id yet: it is known once the command has been decided. */
export interface CommandAuditEntry {
  actor: Actor
  action: NewAuditEntry['action']
  details: Record<string, unknown>
}

export interface CommandResult {
  status: number
  body: string | Buffer
  replayed: boolean
}

/** The fields of the worker's entries: no caller, no idempotency key, and no response body. */
export function backgroundEntry(account_id: string, signal: AbortSignal | undefined) {
  return {
    account_id,
    background: true,
    isWanted: () => !signal?.aborted,
    token: undefined,
    key: undefined,
    status: 200,
    render: () => '',
  }
}

/**
 * A value, the error of one entry, or `locked_elsewhere` if another transaction has the account
 * lock and nothing was decided.
 */
export type Outcome<Value> = { value: Value } | { error: unknown } | typeof locked_elsewhere

export const locked_elsewhere = { locked_elsewhere: true } as const

export type RunBatch<Entry, Value> = (entries: Entry[]) => Promise<Outcome<Value>[]>

/** The two ways to run a batch. */
export interface BatchRunners<Entry, Value> {
  /** Absent for one shard. */
  shards?: Shards
  /** Skips accounts that another transaction has locked. */
  skipping: RunBatch<Entry, Value>
  /** Waits for the account locks. */
  waiting: RunBatch<Entry, Value>
}
