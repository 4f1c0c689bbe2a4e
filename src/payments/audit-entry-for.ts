// Which changes of payment requests are kept in the audit log: as for transactions, settling always
// and everything else when an admin does it. See transactions/deed-of.ts for why.

import { actorOf } from '../sessions/actor.ts'
import type { Caller } from '../sessions/caller.ts'
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
