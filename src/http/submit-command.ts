// Submits the commands of a request to its account's lane, once per Idempotency-Key.

import type { FastifyRequest } from 'fastify'
import type { Caller } from '../identity/caller.ts'
import type {
  BulkEntry,
  CommandAuditEntry,
  CommandEntry,
  CommandResult,
} from '../lanes/lane-entry.ts'
import { InFlight, idempotencyKeyFor } from './idempotency.ts'

export function commandSubmitter<Command extends { account_id: string }, Row>(
  lanes: { submit: (entry: CommandEntry<Command, Row>) => Promise<CommandResult> },
  auditEntryFor: (
    caller: Caller,
    command: Command,
    reason?: string,
  ) => CommandAuditEntry | undefined,
  in_flight = new InFlight(),
) {
  /** `reason` is the caller's, for the audit log. */
  return (
    request: FastifyRequest & { caller: Caller },
    command: Command,
    status: number,
    render: (row: Row) => string,
    reason?: string,
  ): Promise<CommandResult> => {
    const audit_entry = auditEntryFor(request.caller, command, reason)
    const common = commonFields(request, command.account_id)
    return in_flight.guard(common.key, () =>
      lanes.submit({ ...common, command, audit_entry, status, render }),
    )
  }
}

/** For requests with several commands of one account, which are in the list `field`. */
export function bulkSubmitter<Command extends { account_id: string }, Row>(
  lanes: { submit: (entry: BulkEntry<Command, Row>) => Promise<CommandResult> },
  auditEntryFor: (caller: Caller, command: Command) => CommandAuditEntry | undefined,
  in_flight: InFlight,
) {
  return (
    request: FastifyRequest & { caller: Caller },
    bulk: Pick<BulkEntry<Command, Row>, 'commands' | 'atomic' | 'field' | 'render'>,
    status: number,
  ): Promise<CommandResult> => {
    const [first] = bulk.commands
    if (first === undefined) throw new Error('a bulk request without commands')
    const audit_entry = auditEntryFor(request.caller, first)
    const common = commonFields(request, first.account_id)
    const weight = bulk.commands.length
    return in_flight.guard(common.key, () =>
      lanes.submit({ ...common, ...bulk, weight, audit_entry, status }),
    )
  }
}

function commonFields(request: FastifyRequest & { caller: Caller }, account_id: string) {
  const { caller } = request
  return {
    account_id,
    background: false,
    isWanted: () => !request.raw.socket.destroyed,
    token: caller,
    key: idempotencyKeyFor(request, caller, account_id),
    span: request.span,
  }
}
