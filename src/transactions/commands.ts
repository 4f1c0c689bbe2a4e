// From what a caller asks to the command that a lane decides.

import type { TransactionType } from '../ledger/posting-rules.ts'
import { findUuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { Processor } from '../processors/processor.ts'
import { findActingAccount } from '../sessions/acting-account.ts'
import { type Caller, isAdminOrPlatform } from '../sessions/caller.ts'
import { type CreateCommand, type EndCommand, noOpenAccount, type PatchCommand } from './decide.ts'
import { type Metadata, metadataText } from './metadata.ts'

export interface CreateInput {
  account_id: string
  amount: number
  currency: string
  type: TransactionType
  reference?: string | null
  metadata?: Metadata | null
}

export function createCommand(
  caller: Caller,
  input: CreateInput,
  processor: Processor,
): CreateCommand {
  const metadata = metadataText(input.metadata)
  const reference = input.reference ?? null
  const account_id = chooseAccount(caller, input.account_id)
  const linked = input.type === 'refund' && reference !== null
  return {
    kind: 'create',
    account_id,
    amount: input.amount,
    currency: input.currency,
    type: input.type,
    reference,
    metadata,
    linked_id: linked ? findUuid('transaction', reference) : undefined,
    linked_request_id: linked ? findUuid('payment', reference) : undefined,
    settle_after_ms: processor.settle_after_ms,
  }
}

/** The account in the body, if the caller may use it. Whether it is open is decided in the lane. */
export function chooseAccount(
  caller: Caller,
  account_id: string,
  unknown: () => Refusal = noOpenAccount,
): string {
  const acting = findActingAccount(caller)
  const id = findUuid('account', account_id)
  // Whose header it is makes no difference: it may name an account that the caller may act on.
  if (caller.header_account_id !== undefined && id !== acting) {
    throw new Refusal(
      'invalid_request',
      'account_id names another account than the Florin-Account header. Send one of them.',
    )
  }
  if (id !== undefined && (isAdminOrPlatform(caller) || id === acting)) return id
  throw unknown()
}

interface Name {
  account_id: string
  id: string
}

export function cancelCommand({ account_id, id }: Name): EndCommand {
  return { kind: 'end', account_id, id, to: 'canceled', if_not_pending: 'not_cancellable' }
}

export function settleCommand({ account_id, id }: Name, to: 'succeeded' | 'failed'): EndCommand {
  return { kind: 'end', account_id, id, to, if_not_pending: 'conflict' }
}

/** The worker's own: only what is due, and silent when somebody else was faster. */
export function settleDueCommand(name: Name, to: 'succeeded' | 'failed', due_by: Date): EndCommand {
  return { ...settleCommand(name, to), if_not_pending: 'nothing', due_by }
}

export interface PatchInput {
  reference?: string | null
  metadata?: Metadata | null
  amount?: unknown
  currency?: unknown
  type?: unknown
}

export function patchCommand({ account_id, id }: Name, input: PatchInput): PatchCommand {
  const changes_immutable = ['amount', 'currency', 'type'].some((name) => name in input)
  const { reference, metadata } = input
  return {
    kind: 'patch',
    account_id,
    id,
    ...(reference === undefined ? {} : { reference }),
    ...(metadata === undefined ? {} : { metadata }),
    changes_immutable,
  }
}
