// Converts API input to the commands that lanes decide.

import type { Caller } from '../identity/caller.ts'
import type { RowKey } from '../lanes/row-set.ts'
import { Refusal } from '../primitives/refusal.ts'
import { newSecret } from '../primitives/secrets.ts'
import type { CardAttempt } from '../processors/processor.ts'
import { auditEntries } from '../transactions/audit-entry-for.ts'
import { chooseAccount } from '../transactions/commands.ts'
import { no_open_account } from '../transactions/decide.ts'
import { type Metadata, metadataText } from '../transactions/metadata.ts'
import type { CheckoutCommand } from './checkout-commands.ts'
import type { TransferCommand } from './transfer-command.ts'

export interface CreateCommand {
  kind: 'create'
  account_id: string
  amount: number
  currency: string
  customer_email: string
  reference: string | null
  metadata: string | null
  token: string
  /** Left out for a request with the defaults. */
  options?: RequestOptions
}

export interface RequestOptions {
  /** Undefined: the default. A date ends with its day in the account's time zone. */
  expires: { at: Date } | { date: string } | { after_ms: number } | undefined
  message: string | null
  reminder_days: number | null
  /** Whether the link is emailed now. */
  is_emailed: boolean
  /** The reusable link that the payer uses, and the form that the payer submitted. */
  link_id: string | null
  form_key: string | null
}

export interface EndCommand {
  kind: 'end'
  account_id: string
  id: string
  to: 'succeeded' | 'failed' | 'canceled'
}

/** Records the processor's result for the customer's card. */
export interface AttemptCommand extends CardAttempt {
  kind: 'attempt'
  account_id: string
  id: string
}

export interface SendCommand {
  kind: 'send'
  account_id: string
  id: string
}

/** For the worker: sends the reminder or expires the request; no error if already handled. */
export interface DueCommand {
  kind: 'due'
  account_id: string
  id: string
  by: Date
}

export type RequestCommand = CreateCommand | EndCommand | AttemptCommand | SendCommand | DueCommand

export type PaymentCommand = RequestCommand | CheckoutCommand | TransferCommand

export interface CreateInput {
  account_id: string
  amount: number
  currency: string
  customer_email: string
  reference?: string | null
  metadata?: Metadata | null
}

export function createCommand(caller: Caller, input: CreateInput): CreateCommand {
  const metadata = metadataText(input.metadata)
  return {
    kind: 'create',
    account_id: chooseAccount(caller, input.account_id, noOpenAccount),
    amount: input.amount,
    currency: input.currency,
    customer_email: input.customer_email,
    reference: input.reference ?? null,
    metadata,
    // 256 bits: the link is the only credential for paying, so it must not be guessable.
    token: newSecret(''),
  }
}

export function cancelCommand({ account_id, id }: RowKey): EndCommand {
  return { kind: 'end', account_id, id, to: 'canceled' }
}

export function settleCommand({ account_id, id }: RowKey, to: 'succeeded' | 'failed'): EndCommand {
  return { kind: 'end', account_id, id, to }
}

export function attemptCommand({ account_id, id }: RowKey, card: CardAttempt): AttemptCommand {
  return { kind: 'attempt', account_id, id, ...card }
}

export function sendCommand({ account_id, id }: RowKey): SendCommand {
  return { kind: 'send', account_id, id }
}

export function dueCommand({ account_id, id }: RowKey, by: Date): DueCommand {
  return { kind: 'due', account_id, id, by }
}

/** The same error for closed accounts, accounts of others and unknown ids: it reveals nothing. */
export function noOpenAccount(): Refusal {
  return new Refusal('account_not_found', no_open_account)
}

export function unknownPayment(): Refusal {
  return new Refusal('not_found', 'No payment request with this id exists.')
}

export const auditEntryFor = auditEntries<RequestCommand>('payment.settled', {
  create: 'payment.created',
  end: 'payment.canceled',
  send: 'payment.sent',
  attempt: 'payment.attempted',
  due: 'payment.expired',
})
