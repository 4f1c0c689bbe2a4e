// Emails to the users of an account, which each user can turn off. The setting is checked in the
// statement that queues the email, so that a payment reads nothing more.

import type { Queryable, Tx } from '../postgres/database.ts'
import { newUuid } from '../primitives/ids.ts'
import { type Notice, type NoticeName, notice_of } from './email.ts'
import {
  deleteTurnedOff,
  selectTurnedOff,
  sendHourlyNotices,
  sendNotices,
  upsertTurnedOff,
} from './notice-queries.ts'

/** The kinds that payments cause. Many are combined: see queueHourlyNotices. */
export type HourlyNotice = Extract<Notice, { kind: 'payment_received' | 'payment_failed' }>

export function queueNotices(tx: Tx, notices: Notice[]): void {
  if (notices.length === 0) return
  sendNotices(tx, notices.map(nameOf), newIds(tx, notices.length))
}

/**
 * An account gets at most two emails per kind and hour: the first payment at once, and the others
 * together after the hour. `cause` is ignored.
 */
export function queueHourlyNotices(tx: Tx, notices: HourlyNotice[]): void {
  if (notices.length === 0) return
  const combined = Map.groupBy(notices, ({ account_id, kind }) => `${account_id} ${kind}`)
  const rows = [...combined.values()].map(combine)
  const first_ids = newIds(tx, rows.length)
  sendHourlyNotices(tx, rows.map(nameOf), first_ids, newIds(tx, rows.length))
}

function combine(notices: HourlyNotice[]): HourlyNotice {
  const [first] = notices
  const count = notices.reduce((sum, { facts }) => sum + facts.count, 0)
  const amount = notices.reduce((sum, { facts }) => sum + facts.amount, 0)
  return { ...first!, facts: { ...first!.facts, count, amount } } as HourlyNotice
}

function nameOf(notice: Notice): Notice & { notice: NoticeName } {
  return { ...notice, notice: notice_of[notice.kind as keyof typeof notice_of] }
}

function newIds(tx: Tx, count: number): string[] {
  return Array.from({ length: count }, () => newUuid(tx.now.getTime()))
}

const notice_names: NoticeName[] = [...new Set(Object.values(notice_of))]

export type NotificationSettings = Record<NoticeName, boolean>

export async function findNotificationSettings(
  db: Queryable,
  user_id: string,
): Promise<NotificationSettings> {
  const turned_off = await selectTurnedOff(db, user_id)
  const settings = notice_names.map((name) => [name, !turned_off.includes(name)])
  return Object.fromEntries(settings) as NotificationSettings
}

export async function storeNotificationSettings(
  tx: Tx,
  user_id: string,
  settings: NotificationSettings,
): Promise<void> {
  const turned_off = notice_names.filter((name) => !settings[name])
  await upsertTurnedOff(tx, user_id, turned_off)
}

/** Called when users are deleted. */
export async function deleteNotificationSettings(tx: Tx, user_ids: string[]): Promise<void> {
  await deleteTurnedOff(tx, user_ids)
}
