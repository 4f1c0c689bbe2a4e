// The account's lock is its row in balances. Whoever changes anything of an account takes it first,
// then users, then their tokens, then the rest: one order for everyone, so nobody waits in a ring.

import { newEventId } from '../events/event-id.ts'
import { type NewEvent, recordEvent, recordEvents } from '../events/record-event.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import type { AccountLock, AccountStatus } from './lock-row.ts'
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

export async function findAccountLock(
  tx: Tx,
  account_id: string,
): Promise<AccountLock | undefined> {
  return selectBalanceForUpdate(tx, account_id)
}

/** Whether an account with this id was ever opened; closed ones keep their books. */
export async function balanceExists(db: Queryable, account_id: string): Promise<boolean> {
  return selectBalanceExists(db, account_id)
}

export type { EventEnd } from './queries.ts'

/** How far an account's events go, and whether more can come. */
export function findEventEnd(db: Queryable, account_id: string): Promise<EventEnd | undefined> {
  return selectEventEnd(db, account_id)
}

/** Opens the books of a new account, and with them its lock. */
export async function createBalance(
  tx: Tx,
  account: { account_id: string; currency: string; at: Date },
): Promise<AccountLock> {
  await insertBalance(tx, account)
  return (await selectBalanceForUpdate(tx, account.account_id))!
}

/** Status and currency stand in the locked row too: every decision about money needs them. */
export async function changeStatusOrCurrency(
  tx: Tx,
  lock: AccountLock,
  standing: { status?: AccountStatus; currency?: string },
): Promise<void> {
  lock.status = standing.status ?? lock.status
  lock.currency = standing.currency ?? lock.currency
  await updateBalanceStatus(tx, lock.account_id, lock)
}

/** The time to write under this lock: now, but never earlier than what was written before. */
export function timeUnderLock(tx: Tx, lock: AccountLock): Date {
  return tx.now > lock.last_at ? tx.now : lock.last_at
}

/** A time taken from an id may be a little ahead of the clock: what follows comes no earlier. */
export function raiseLastAt(lock: AccountLock, at: Date): void {
  if (at > lock.last_at) lock.last_at = at
}

/** Numbers and writes an event. Numbers have no gaps, because they are taken under the lock. */
export async function appendEvent(tx: Tx, lock: AccountLock, event: NewEvent): Promise<void> {
  const at = timeUnderLock(tx, lock)
  lock.event_sequence = await advanceEventSequence(tx, lock.account_id, at)
  lock.last_at = at
  const place = { account_id: lock.account_id, sequence: lock.event_sequence, at }
  await recordEvent(tx, place, event)
}

/** Numbers and writes many events; the statements are sent with COMMIT. */
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
}
