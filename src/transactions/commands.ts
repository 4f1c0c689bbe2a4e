// Converts API input to the commands that lanes decide.

import { findActingAccount } from '../identity/acting-account.ts'
import { type Caller, isAdminOrPlatform } from '../identity/caller.ts'
import type { TransactionType } from '../ledger/posting-rules.ts'
import { findUuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { Processor } from '../processors/processor.ts'
import { type CreateCommand, type EndCommand, noOpenAccount, type PatchCommand } from './decide.ts'
import { type Metadata, metadataText } from './metadata.ts'

export interface CreateInput extends ItemInput {
  account_id: string
}

/** A transaction to create, without its account. */
export interface ItemInput {
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
  return commandOf(chooseAccount(caller, input.account_id), input, metadata, processor)
}

export function commandOf(
  account_id: string,
  input: ItemInput,
  metadata: string | null,
  processor: Processor,
): CreateCommand {
  const reference = input.reference ?? null
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

/** The account in the body, if the caller has access. The lane checks whether it is open. */
export function chooseAccount(
  caller: Caller,
  account_id: string,
  unknown: () => Refusal = noOpenAccount,
): string {
  const acting = findActingAccount(caller)
  const id = findUuid('account', account_id)
  // Checked for every role, even if the caller has access to both accounts.
  if (caller.header_account_id !== undefined && id !== acting) {
    throw new Refusal(
      'invalid_request',
      '"account_id" and the Florin-Account header name different accounts. Send only one of them.',
    )
  }
  if (id !== undefined && (isAdminOrPlatform(caller) || id === acting)) return id
  throw unknown()
}

interface TransactionKey {
  account_id: string
  id: string
}

export function cancelCommand({ account_id, id }: TransactionKey): EndCommand {
  return { kind: 'end', account_id, id, to: 'canceled', if_not_pending: 'not_cancellable' }
}

export function settleCommand(
  { account_id, id }: TransactionKey,
  to: 'succeeded' | 'failed',
): EndCommand {
  return { kind: 'end', account_id, id, to, if_not_pending: 'conflict' }
}

/** For the worker: settles only if due, and is not an error if another process was faster. */
export function settleDueCommand(
  key: TransactionKey,
  to: 'succeeded' | 'failed',
  due_by: Date,
): EndCommand {
  return { ...settleCommand(key, to), if_not_pending: 'nothing', due_by }
}

interface PatchInput {
  reference?: string | null
  metadata?: Metadata | null
  amount?: unknown
  currency?: unknown
  type?: unknown
}

export function patchCommand({ account_id, id }: TransactionKey, input: PatchInput): PatchCommand {
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
