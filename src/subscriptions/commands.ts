// From what a caller asks to the command that a lane decides. The account is the caller's own or
// the one that Florin-Account names, never one in the body.

import { findUuid } from '../primitives/ids.ts'
import { type Interval, interval_count_max } from '../primitives/period.ts'
import { Refusal } from '../primitives/refusal.ts'
import { findActingAccount, unknownActingAccount } from '../sessions/acting-account.ts'
import type { Caller } from '../sessions/caller.ts'
import { type Metadata, metadataText, requireGoodChange } from '../transactions/metadata.ts'

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

/** The worker's own: asks for the periods that have begun, silent when somebody was faster. */
export interface DueCommand {
  kind: 'due'
  account_id: string
  id: string
  by: Date
}

export type SubscriptionCommand = CreateCommand | PatchCommand | CancelCommand | DueCommand

export interface CreateInput {
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
  requireGoodCount(interval, interval_count)
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

function requireGoodCount(interval: Interval, interval_count: number): void {
  const max = interval_count_max[interval]
  if (interval_count <= max) return
  throw new Refusal(
    'invalid_request',
    `interval_count must be at most ${max} with interval ${interval}, which is three years; ` +
      `${interval_count} came.`,
  )
}

/** Permission has been asked: whoever comes here has an account or has named one. */
export function actingAccount(caller: Caller): string {
  const account_id = findActingAccount(caller)
  if (account_id === undefined) throw unknownActingAccount(caller)
  return account_id
}

export interface PatchInput {
  status?: 'active' | 'paused'
  reference?: string | null
  metadata?: Metadata | null
}

export function patchCommand(caller: Caller, text: string, input: PatchInput): PatchCommand {
  // Judged by itself first: a fault in the body comes before what it is about.
  requireGoodChange(input.metadata)
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

export function dueCommand(name: { account_id: string; id: string }, by: Date): DueCommand {
  return { kind: 'due', account_id: name.account_id, id: name.id, by }
}

/** The bare id; a text that cannot be one is an id that nobody has. */
export function readSubscriptionId(text: string): string {
  const id = findUuid('subscription', text)
  if (id === undefined) throw unknownSubscription()
  return id
}

export function unknownSubscription(): Refusal {
  return new Refusal('not_found', 'No subscription that you may see has this id.')
}
