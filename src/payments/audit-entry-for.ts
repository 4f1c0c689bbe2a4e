// Selects the changes to payment requests that the audit log records: every settlement, and every
// change by an admin. transactions/audit-entry-for.ts explains why.

import type { Caller } from '../identity/caller.ts'
import { actorOf } from '../identity/sessions/actor.ts'
import type { BatchAuditEntry } from '../transactions/audit-entry-for.ts'
import type { PaymentCommand } from './commands.ts'

export function auditEntryFor(
  caller: Caller,
  command: PaymentCommand,
  reason?: string,
): BatchAuditEntry | undefined {
  if (command.kind === 'end' && command.to !== 'canceled') {
    const details = { outcome: command.to, ...(reason !== undefined && { reason }) }
    return { actor: actorOf(caller), action: 'payment.settled', details }
  }
  if (caller.role !== 'admin') return undefined
  return { actor: actorOf(caller), action: actions[command.kind], details: {} }
}

const actions = {
  create: 'payment.created',
  end: 'payment.canceled',
  send: 'payment.sent',
  attempt: 'payment.attempted',
  due: 'payment.expired',
} as const
