// Fills a sandbox with a year of believable business. Each account comes with all of its history in
// one database transaction, so that nobody ever meets one half-way, and an interrupted run leaves
// whole accounts only.

import { setImmediate as breathe } from 'node:timers/promises'
import { writeAccounts } from '../accounts/add-accounts.ts'
import { recordAuditEntry } from '../audit/record-audit-entry.ts'
import { recordManyEvents } from '../events/record-event.ts'
import { event_retention_ms } from '../events/verify-events.ts'
import { findAccountLock } from '../ledger/account-lock.ts'
import { writeManyPostings, writeNewBalances } from '../ledger/write-ledger.ts'
import { readTime } from '../postgres/clock.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { changeCounts } from '../postgres/list-counts.ts'
import { operator } from '../sessions/actor.ts'
import type { WorkingSet } from '../transactions/working-set.ts'
import { writeHistory } from '../transactions/write-history.ts'
import { writeOwners } from '../users/add-owners.ts'
import { hashPassword } from '../users/password.ts'
import { AccountHistory } from './account-history.ts'
import { HistorySet } from './history-set.ts'
import { type OpenedAccount, openDemoAccount } from './open-demo-account.ts'
import { groupBySize, type PlannedAccount, planSeed, type SeedOptions } from './plan-seed.ts'
import { Random } from './random.ts'

// At 500 a transaction took 90 µs of Node's and PostgreSQL's time together, at 4 000 it took 71.
const transactions_at_once = 4_000

// A few milliseconds. Without the pause, what the other writer has sent would wait in this process
// and PostgreSQL for it: 14 000 transactions a second, and 21 000 to 25 000 with it.
const transactions_at_breath = 100

// While one group is being written, the next is thought up: on two cores more writers are no gain.
const writers = 2

export interface SeedResult {
  /** The email of one owner to log in with. */
  email: string | undefined
}

export interface SeedRun extends SeedOptions {
  password: string
  /** Writes all events, also those that would have been pruned by now. */
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
  // Events are swept by real time: a sandbox whose clock is ahead keeps more of its own.
  const events_from = new Date(options.all_events ? 0 : Date.now() - event_retention_ms)
  let email: string | undefined
  let done = 0
  const onWritten = (count: number) => {
    // One that is tried again is counted again, and nothing is more than done.
    done = Math.min(done + count, options.transactions)
    onProgress(done)
  }
  const shared = { seed: options.seed, until, password_hash, events_from, onWritten }
  const write = async (): Promise<void> => {
    for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
      const opened = await writeGroup(db, group, shared)
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

// Drawn anew inside: a database transaction that is tried again must play the same history again.
function writeGroup(
  db: Db,
  group: PlannedAccount[],
  shared: SeedContext,
): Promise<OpenedAccount[]> {
  return db.transaction(async (tx) => {
    const opened = await writeHistories(tx, group, shared)
    const accounts = opened.map(({ account }) => account)
    const owners = opened.map(({ owner }) => owner)
    const counts = [
      ...writeAccounts(tx, accounts),
      ...writeOwners(tx, owners, shared.password_hash),
    ]
    await Promise.all(accounts.map(({ id }) => recordAuditEntry(tx, operator, audit_entry(id))))
    await changeCounts(tx, counts)
    return opened
  })
}

function audit_entry(account_id: string) {
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
    const history = new AccountHistory(random, lock, { count, median_amount, until })
    set.events.push(...events.filter(({ at }) => at >= events_from))
    while (!history.isOver) {
      history.play(set, transactions_at_breath)
      await breathe()
      if (set.inserted.length < transactions_at_once) continue
      const written = write(tx, set)
      set = new HistorySet(until, events_from)
      // Waits for what was sent: a busy account would otherwise pile up in memory.
      await findAccountLock(tx, lock.account_id)
      onWritten(written)
    }
    opened.push(account)
  }
  const written = write(tx, set)
  writeNewBalances(
    tx,
    opened.map(({ lock }) => lock),
  )
  onWritten(written)
  return opened
}

/** How many transactions it was. */
function write(tx: Tx, set: WorkingSet): number {
  const count = set.inserted.length
  writeManyPostings(tx, set.postings)
  writeHistory(tx, set)
  recordManyEvents(tx, set.events)
  return count
}
