// Selects the changes that the audit log records: every settlement, because it makes money
// available, and every change by an admin, who can act on all accounts. Other changes by platforms
// are not recorded: an entry per payment would double the writes of the busiest path, and the event
// already contains the same facts.

import type { NewAuditEntry } from '../audit/record-audit-entry.ts'
import type { Caller } from '../identity/caller.ts'
import { actorOf } from '../identity/sessions/actor.ts'
import type { CommandAuditEntry } from '../lanes/lane-entry.ts'
import type { Command } from './decide.ts'

type Action = NewAuditEntry['action']

export const auditEntryFor = auditEntries<Command>('transaction.settled', {
  create: 'transaction.created',
  end: 'transaction.canceled',
  patch: 'transaction.updated',
})

/** For nouns whose `end` commands settle money; `actions` are those of admins. */
export function auditEntries<SomeCommand extends { kind: string; to?: string }>(
  settled: Action,
  actions: Record<SomeCommand['kind'], Action>,
) {
  return (caller: Caller, command: SomeCommand, reason?: string): CommandAuditEntry | undefined => {
    if (command.kind === 'end' && command.to !== 'canceled') {
      const details = { outcome: command.to, ...(reason !== undefined && { reason }) }
      return { actor: actorOf(caller), action: settled, details }
    }
    if (caller.role !== 'admin') return undefined
    const kind: SomeCommand['kind'] = command.kind
    return { actor: actorOf(caller), action: actions[kind], details: {} }
  }
}
