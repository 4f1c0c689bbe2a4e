// Which changes of transactions are kept in the audit log. Settling always is: it makes money, and
// only those who run the service may. So is whatever an admin does, because a person with power
// over every account must leave a trace. A platform is a server that acts for its accounts all day
// long: a line for each of its creates would double what the busiest path writes, and the event and
// the transaction itself tell the same.

import type { Actor, NewAuditEntry } from '../audit/record-audit-entry.ts'
import { actorOf } from '../sessions/actor.ts'
import type { Caller } from '../sessions/caller.ts'
import type { Command } from './decide.ts'

/** Of which transaction is known when the command has been decided. */
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
