// From what a caller asks to the command that a lane decides.

import { Refusal } from '../primitives/refusal.ts'
import { newSecret } from '../primitives/secrets.ts'
import type { CardAttempt } from '../processors/processor.ts'
import type { Caller } from '../sessions/caller.ts'
import { chooseAccount } from '../transactions/commands.ts'
import { no_open_account } from '../transactions/decide.ts'
import { type Metadata, metadataText } from '../transactions/metadata.ts'

export interface CreateCommand {
  kind: 'create'
  account_id: string
  amount: number
  currency: string
  customer_email: string
  reference: string | null
  metadata: string | null
  token: string
}

export interface EndCommand {
  kind: 'end'
  account_id: string
  id: string
  to: 'succeeded' | 'failed' | 'canceled'
}

/** What the processor said to the customer's card. */
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

/** The worker's own: reminds or lets expire, and is silent when somebody else was faster. */
export interface DueCommand {
  kind: 'due'
  account_id: string
  id: string
  by: Date
}

export type PaymentCommand = CreateCommand | EndCommand | AttemptCommand | SendCommand | DueCommand

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
    // 256 bits: whoever has the link may pay, and nobody finds one by trying.
    token: newSecret(''),
  }
}

interface Name {
  account_id: string
  id: string
}

export function cancelCommand({ account_id, id }: Name): EndCommand {
  return { kind: 'end', account_id, id, to: 'canceled' }
}

export function settleCommand({ account_id, id }: Name, to: 'succeeded' | 'failed'): EndCommand {
  return { kind: 'end', account_id, id, to }
}

export function attemptCommand({ account_id, id }: Name, judged: CardAttempt): AttemptCommand {
  return { kind: 'attempt', account_id, id, ...judged }
}

export function sendCommand({ account_id, id }: Name): SendCommand {
  return { kind: 'send', account_id, id }
}

export function dueCommand({ account_id, id }: Name, by: Date): DueCommand {
  return { kind: 'due', account_id, id, by }
}

/** The same for an account that is closed, somebody else's or nobody's. */
export function noOpenAccount(): Refusal {
  return new Refusal('account_not_found', no_open_account)
}

export function unknownPayment(): Refusal {
  return new Refusal('not_found', 'No payment request that you may see has this id.')
}
