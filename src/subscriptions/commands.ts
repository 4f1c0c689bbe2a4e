// Converts API input to the commands that lanes decide. The account is the caller's or the one in
// the Florin-Account header, never one in the body.

import { findActingAccount, unknownActingAccount } from '../identity/acting-account.ts'
import type { Caller } from '../identity/caller.ts'
import { actorOf } from '../identity/sessions/actor.ts'
import type { CommandAuditEntry } from '../lanes/lane-entry.ts'
import { findUuid } from '../primitives/ids.ts'
import { type Interval, interval_count_max } from '../primitives/period.ts'
import { Refusal } from '../primitives/refusal.ts'
import { type Metadata, metadataText, requireValidChange } from '../transactions/metadata.ts'

export interface CreateCommand {
  kind: 'create'
  account_id: string
  customer_email: string
  amount: number
  currency: string
  interval: Interval
  interval_count: number
  reference: string | null
  metadata: string | null
}

export interface PatchCommand {
  kind: 'patch'
  account_id: string
  id: string
  status?: 'active' | 'paused'
  reference?: string | null
  metadata?: Metadata | null
}

export interface CancelCommand {
  kind: 'cancel'
  account_id: string
  id: string
}

/** For the worker: requests payment for periods that have begun; no error if already handled. */
export interface DueCommand {
  kind: 'due'
  account_id: string
  id: string
  by: Date
}

export type SubscriptionCommand = CreateCommand | PatchCommand | CancelCommand | DueCommand

interface CreateInput {
  customer_email: string
  amount: number
  currency: string
  interval: Interval
  interval_count?: number
  reference?: string | null
  metadata?: Metadata | null
}

export function createCommand(caller: Caller, input: CreateInput): CreateCommand {
  const metadata = metadataText(input.metadata)
  const { interval, interval_count = 1 } = input
  requireValidCount(interval, interval_count)
  return {
    kind: 'create',
    account_id: actingAccount(caller),
    customer_email: input.customer_email,
    amount: input.amount,
    currency: input.currency,
    interval,
    interval_count,
    reference: input.reference ?? null,
    metadata,
  }
}

function requireValidCount(interval: Interval, interval_count: number): void {
  const max = interval_count_max[interval]
  if (interval_count <= max) return
  throw new Refusal(
    'invalid_request',
    `"interval_count" must be at most ${max} with "interval" "${interval}", which is three ` +
      `years; got ${interval_count}.`,
  )
}

/** Permissions were checked before, so the caller has an account or named one in the header. */
function actingAccount(caller: Caller): string {
  const account_id = findActingAccount(caller)
  if (account_id === undefined) throw unknownActingAccount(caller)
  return account_id
}

interface PatchInput {
  status?: 'active' | 'paused'
  reference?: string | null
  metadata?: Metadata | null
}

export function patchCommand(caller: Caller, text: string, input: PatchInput): PatchCommand {
  // Errors in the body are reported before an unknown id.
  requireValidChange(input.metadata)
  return {
    kind: 'patch',
    account_id: actingAccount(caller),
    id: readSubscriptionId(text),
    ...input,
  }
}

export function cancelCommand(caller: Caller, text: string): CancelCommand {
  return { kind: 'cancel', account_id: actingAccount(caller), id: readSubscriptionId(text) }
}

export function dueCommand(
  { account_id, id }: { account_id: string; id: string },
  by: Date,
): DueCommand {
  return { kind: 'due', account_id, id, by }
}

/** The UUID in a subscription id. Malformed ids are reported as unknown. */
export function readSubscriptionId(text: string): string {
  const id = findUuid('subscription', text)
  if (id === undefined) throw unknownSubscription()
  return id
}

export function unknownSubscription(): Refusal {
  return new Refusal('not_found', 'No subscription with this id exists.')
}

/** Every change by an admin; transactions/audit-entry-for.ts explains why no others. */
export function auditEntryFor(
  caller: Caller,
  command: SubscriptionCommand,
): CommandAuditEntry | undefined {
  if (caller.role !== 'admin' || command.kind === 'due') return undefined
  const details = command.kind === 'patch' && command.status ? { status: command.status } : {}
  return { actor: actorOf(caller), action: actions[command.kind], details }
}

const actions = {
  create: 'subscription.created',
  patch: 'subscription.updated',
  cancel: 'subscription.canceled',
} as const
