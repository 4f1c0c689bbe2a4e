// An account's lock is its row in balances. Every change to an account locks that row first, then
// users, then their tokens, then the rest. One lock order everywhere prevents deadlocks.

import { newEventId } from '../events/event-id.ts'
import { type NewEvent, recordEvent, recordEvents } from '../events/record-event.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import { eventEvidence } from './event-evidence.ts'
import { type AccountLock, type AccountStatus, noteBalances } from './lock-row.ts'
import {
  advanceEventSequence,
  type EventEnd,
  insertBalance,
  selectBalanceExists,
  selectBalanceForUpdate,
  selectEventEnd,
  sendBalances,
  updateBalanceStatus,
} from './queries.ts'

export async function lockAccountIfExists(
  tx: Tx,
  account_id: string,
): Promise<AccountLock | undefined> {
  const lock = await selectBalanceForUpdate(tx, account_id)
  if (lock !== undefined) noteBalances(tx, [lock])
  return lock
}

/** Whether an account with this id was ever opened; a closed account keeps its balance row. */
export async function balanceExists(db: Queryable, account_id: string): Promise<boolean> {
  return selectBalanceExists(db, account_id)
}

export type { EventEnd } from './queries.ts'

/** The account's last event number, and its status: a closed account gets no more events. */
export function findEventEnd(db: Queryable, account_id: string): Promise<EventEnd | undefined> {
  return selectEventEnd(db, account_id)
}

/** Inserts the balance row of a new account and returns it locked. */
export async function createBalance(
  tx: Tx,
  account: { account_id: string; currency: string; at: Date },
): Promise<AccountLock> {
  await insertBalance(tx, account)
  tx.proveByRow(account.account_id)
  return (await lockAccountIfExists(tx, account.account_id))!
}

/** Status and currency are also stored in the locked row: every decision about money needs them. */
export async function changeStatusOrCurrency(
  tx: Tx,
  lock: AccountLock,
  change: { status?: AccountStatus; currency?: string },
): Promise<void> {
  lock.status = change.status ?? lock.status
  lock.currency = change.currency ?? lock.currency
  await updateBalanceStatus(tx, lock.account_id, lock)
}

/** The time to write under this lock: now, but never earlier than the previous write. */
export function timeUnderLock(tx: Tx, lock: AccountLock): Date {
  return tx.now > lock.last_at ? tx.now : lock.last_at
}

/** The time in an id can be slightly ahead of the clock; later writes must not be earlier. */
export function raiseLastAt(lock: AccountLock, at: Date): void {
  if (at > lock.last_at) lock.last_at = at
}

/** Numbers and inserts an event. Numbers have no gaps, because they are assigned under the lock. */
export async function appendEvent(tx: Tx, lock: AccountLock, event: NewEvent): Promise<void> {
  const at = timeUnderLock(tx, lock)
  lock.event_sequence = await advanceEventSequence(tx, lock.account_id, at)
  lock.last_at = at
  const position = { account_id: lock.account_id, sequence: lock.event_sequence, at }
  const id = await recordEvent(tx, position, event)
  tx.proveBy(eventEvidence({ ...position, id }))
}

/** Numbers and inserts several events; the statements are sent together with COMMIT. */
export function appendEvents(tx: Tx, lock: AccountLock, events: NewEvent[]): void {
  if (events.length === 0) return
  const { account_id } = lock
  const at = timeUnderLock(tx, lock)
  lock.last_at = at
  const numbered = events.map(({ type, object_id, data }) => {
    lock.event_sequence += 1
    const sequence = lock.event_sequence
    const id = newEventId(at, sequence)
    return { account_id, sequence, id, type, object_id, at, data: JSON.stringify(data) }
  })
  sendBalances(tx, [lock])
  recordEvents(tx, numbered)
  tx.proveBy(eventEvidence(numbered.at(-1)!))
}
