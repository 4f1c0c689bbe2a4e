// Fills a sandbox with a year of demo data. Each account and its whole history are written in one
// database transaction, so an interrupted run leaves only complete accounts.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { writeAccounts } from '../../accounts/open-account.ts'
import { recordAuditEntry } from '../../audit/record-audit-entry.ts'
import { type EventType, recordEvents } from '../../events/record-event.ts'
import { event_retention_ms } from '../../events/sweep-events.ts'
import { operator } from '../../identity/sessions/actor.ts'
import { writeOwners } from '../../identity/users/owner.ts'
import { hashPassword } from '../../identity/users/password.ts'
import { LockedAccounts } from '../../lanes/locked-accounts.ts'
import { lockAccountIfExists } from '../../ledger/account-lock.ts'
import type { AccountLock } from '../../ledger/lock-row.ts'
import { writeLedger, writeNewBalances } from '../../ledger/write-ledger.ts'
import { readTime } from '../../postgres/clock.ts'
import type { Db, Tx } from '../../postgres/database.ts'
import { changeCounts } from '../../postgres/list-counts.ts'
import { writeTransactions } from '../../transactions/lanes.ts'
import type { TransactionRow } from '../../transactions/transaction.ts'
import { TransactionSet } from '../../transactions/transaction-set.ts'
import { AccountHistory } from './account-history.ts'
import { type OpenedAccount, openDemoAccount } from './open-demo-account.ts'
import { groupBySize, type PlannedAccount, planSeed, type SeedOptions } from './plan-seed.ts'
import { Random } from './random.ts'

// Measured per transaction, in Node and PostgreSQL together: 90 µs with 500, 71 µs with 4,000.
const transactions_at_once = 4_000

// A few milliseconds of work. Without yielding, the statements of the other writer wait in this
// process: 14,000 transactions per second instead of 21,000 to 25,000.
const transactions_per_yield = 100

// One group is generated while another is written. More writers are not faster on two cores.
const writers = 2

interface SeedResult {
  /** The email of an owner to log in with. */
  email: string | undefined
}

interface SeedRun extends SeedOptions {
  password: string
  /** Writes all events, including those that would have been pruned by now. */
  all_events?: boolean
}

export async function seedDatabase(
  db: Db,
  options: SeedRun,
  onProgress: (transactions_done: number) => void,
): Promise<SeedResult> {
  const until = await readTime(db)
  const plan = planSeed(options, until)
  const password_hash = await hashPassword(options.password)
  const groups = groupBySize(plan, transactions_at_once)
  // Events are pruned by real time, not by the sandbox clock, which can be ahead.
  const events_from = new Date(options.all_events ? 0 : Date.now() - event_retention_ms)
  let email: string | undefined
  let done = 0
  const onWritten = (count: number) => {
    // A retried group is counted again, so cap the progress at 100%.
    done = Math.min(done + count, options.transactions)
    onProgress(done)
  }
  const context = { seed: options.seed, until, password_hash, events_from, onWritten }
  const write = async (): Promise<void> => {
    for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
      const opened = await writeGroup(db, group, context)
      email = opened.at(-1)?.owner.email ?? email
    }
  }
  groups.reverse()
  await Promise.all(Array.from({ length: writers }, write))
  return { email }
}

interface SeedContext {
  seed: string
  until: Date
  password_hash: string
  events_from: Date
  onWritten(count: number): void
}

// Generates inside the database transaction: a retry must generate the same history again.
function writeGroup(
  db: Db,
  group: PlannedAccount[],
  context: SeedContext,
): Promise<OpenedAccount[]> {
  return db.transaction(async (tx) => {
    const opened = await writeHistories(tx, group, context)
    const accounts = opened.map(({ account }) => account)
    const owners = opened.map(({ owner }) => owner)
    const counts = [
      ...writeAccounts(tx, accounts),
      ...writeOwners(tx, owners, context.password_hash),
    ]
    await Promise.all(accounts.map(({ id }) => recordAuditEntry(tx, operator, auditEntry(id))))
    await changeCounts(tx, counts)
    return opened
  })
}

function auditEntry(account_id: string) {
  const details = { demo: true }
  return { action: 'account.created', object_id: account_id, account_id, details } as const
}

async function writeHistories(
  tx: Tx,
  group: PlannedAccount[],
  { seed, until, events_from, onWritten }: SeedContext,
): Promise<OpenedAccount[]> {
  const opened: OpenedAccount[] = []
  let set = new HistorySet(until, events_from)
  for (const { index, opens_at, count } of group) {
    const random = new Random(seed, index)
    const account = openDemoAccount(random, opens_at)
    const { lock, events, median_amount } = account
    // First: on Citus, rows of an account are written by way of its balance.
    writeNewBalances(tx, [lock])
    const history = new AccountHistory(random, lock, { count, median_amount, until })
    set.locked.events.push(...events.filter(({ at }) => at >= events_from))
    while (!history.isOver) {
      history.play(set, transactions_per_yield)
      await yieldToEventLoop()
      if (set.inserted.length < transactions_at_once) continue
      const written = write(tx, set)
      set = new HistorySet(until, events_from)
      // Backpressure: waits for the sent statements, so a busy account does not fill the memory.
      await lockAccountIfExists(tx, lock.account_id)
      onWritten(written)
    }
    opened.push(account)
  }
  const written = write(tx, set)
  const locks = opened.map(({ lock }) => lock)
  writeLedger(tx, locks, [])
  onWritten(written)
  return opened
}

/** Returns the number of transactions. */
function write(tx: Tx, set: HistorySet): number {
  const count = set.inserted.length
  // The balances are written at the end of the group.
  writeLedger(tx, [], set.locked.postings)
  writeTransactions(tx, set)
  recordEvents(tx, set.locked.events)
  return count
}

// A set for past transactions. Events that would have been pruned by now are numbered but
// not rendered or stored, which saves a tenth of the time of seeding.
class HistorySet extends TransactionSet {
  readonly #events_from: Date

  constructor(now: Date, events_from: Date) {
    super(new LockedAccounts(now, []))
    this.#events_from = events_from
  }

  override addEvent(lock: AccountLock, type: EventType, row: TransactionRow): void {
    if (lock.last_at < this.#events_from) lock.event_sequence += 1
    else super.addEvent(lock, type, row)
  }
}
