// Selects the changes to subscriptions that the audit log records: every change by an admin.
// transactions/audit-entry-for.ts explains why platforms leave none.

import type { Caller } from '../identity/caller.ts'
import { actorOf } from '../identity/sessions/actor.ts'
import type { BatchAuditEntry } from '../transactions/audit-entry-for.ts'
import type { SubscriptionCommand } from './commands.ts'

export function auditEntryFor(
  caller: Caller,
  command: SubscriptionCommand,
): BatchAuditEntry | undefined {
  if (caller.role !== 'admin' || command.kind === 'due') return undefined
  const details = command.kind === 'patch' && command.status ? { status: command.status } : {}
  return { actor: actorOf(caller), action: actions[command.kind], details }
}

const actions = {
  create: 'subscription.created',
  patch: 'subscription.updated',
  cancel: 'subscription.canceled',
} as const
