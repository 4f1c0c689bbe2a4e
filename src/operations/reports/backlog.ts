// The work that waits for the worker: close to zero while a worker runs and keeps up.

import { countQueuedEmails } from '../../email/outbox.ts'
import { type ClosingProgress, findClosingProgress } from '../../ledger/closings.ts'
import { countDuePayments } from '../../payments/run-due.ts'
import { readTime } from '../../postgres/clock.ts'
import type { Queryable } from '../../postgres/database.ts'
import { countQueuedEvents } from '../../processors/inbox.ts'
import { countDueSubscriptions } from '../../subscriptions/run-due.ts'
import { countDueTransactions } from '../../transactions/settle-due.ts'
import { countPendingDeliveries } from '../../webhooks/outbox.ts'

interface Backlog {
  transactions_due: number
  payments_due: number
  subscriptions_due: number
  emails: { waiting: number; due: number }
  webhooks: { waiting: number; due: number }
  provider_events: { waiting: number; due: number }
  closings: ClosingProgress
}

// Bounds the cost of counting. Due work is counted up to this limit in each of its sixteen slots.
const count_max = 1_000

export async function findBacklog(db: Queryable): Promise<Backlog> {
  const now = await readTime(db)
  return {
    transactions_due: await countDueTransactions(db, now, count_max),
    payments_due: await countDuePayments(db, now, count_max),
    subscriptions_due: await countDueSubscriptions(db, now, count_max),
    emails: await countQueuedEmails(db, count_max),
    webhooks: await countPendingDeliveries(db, count_max),
    provider_events: await countQueuedEvents(db, count_max),
    closings: await findClosingProgress(db),
  }
}
