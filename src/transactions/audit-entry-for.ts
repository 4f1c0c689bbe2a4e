// Selects the changes to transactions that the audit log records: every settlement, because it
// makes money available, and every change by an admin, who can act on all accounts. Other changes
// by platforms are not recorded: an entry per payment would double the writes of the busiest path,
// and the event already contains the same facts.

import type { Actor, NewAuditEntry } from '../audit/record-audit-entry.ts'
import type { Caller } from '../identity/caller.ts'
import { actorOf } from '../identity/sessions/actor.ts'
import type { Command } from './decide.ts'

/** Has no transaction id yet: it is known once the command has been decided. */
export interface BatchAuditEntry {
  actor: Actor
  action: NewAuditEntry['action']
  details: Record<string, unknown>
}

export function auditEntryFor(
  caller: Caller,
  command: Command,
  reason?: string,
): BatchAuditEntry | undefined {
  if (command.kind === 'end' && command.to !== 'canceled') {
    const details = { outcome: command.to, ...(reason !== undefined && { reason }) }
    return { actor: actorOf(caller), action: 'transaction.settled', details }
  }
  if (caller.role !== 'admin') return undefined
  return { actor: actorOf(caller), action: actions[command.kind], details: {} }
}

const actions = {
  create: 'transaction.created',
  end: 'transaction.canceled',
  patch: 'transaction.updated',
} as const
