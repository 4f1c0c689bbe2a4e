// Submits the command of a request to its account's lane, once per Idempotency-Key.

import type { FastifyRequest } from 'fastify'
import type { Caller } from '../identity/caller.ts'
import type { CommandAuditEntry, CommandEntry, CommandResult } from '../lanes/lane-entry.ts'
import { InFlight, idempotencyKeyFor } from './idempotency.ts'

export function commandSubmitter<Command extends { account_id: string }, Row>(
  lanes: { submit: (entry: CommandEntry<Command, Row>) => Promise<CommandResult> },
  auditEntryFor: (
    caller: Caller,
    command: Command,
    reason?: string,
  ) => CommandAuditEntry | undefined,
) {
  const in_flight = new InFlight()
  /** `reason` is the caller's, for the audit log. */
  return (
    request: FastifyRequest & { caller: Caller },
    command: Command,
    status: number,
    render: (row: Row) => string,
    reason?: string,
  ): Promise<CommandResult> => {
    const { caller } = request
    const { account_id } = command
    const key = idempotencyKeyFor(request, caller, account_id)
    const audit_entry = auditEntryFor(caller, command, reason)
    return in_flight.guard(key, () =>
      lanes.submit({
        command,
        account_id,
        background: false,
        isWanted: () => !request.raw.socket.destroyed,
        token: caller,
        key,
        audit_entry,
        status,
        render,
      }),
    )
  }
}
