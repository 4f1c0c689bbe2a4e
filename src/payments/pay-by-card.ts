// Pays a request by card: charges the card, then records the result under the account's lock. The
// processor is called outside of any database transaction, because it may be slow.

import { tooBusy } from '../primitives/refusal.ts'
import {
  type Card,
  type CardResult,
  type DeclineCode,
  type Processor,
  summarizeCard,
} from '../processors/processor.ts'
import type { CardOutcome } from '../processors/test-cards.ts'
import { attemptCommand } from './commands.ts'
import type { PaymentLanes } from './lanes.ts'
import { type PaymentRow, statusJson } from './payment.ts'

interface PayingParts {
  processor: Processor
  payment_lanes: PaymentLanes
}

/** Throws when the request can no longer be paid; in that case no payment is recorded. */
export async function payByCard(
  { processor, payment_lanes }: PayingParts,
  row: PaymentRow,
  card: Card,
): Promise<CardResult> {
  if (processor.chargeCard === undefined) return 'refused'
  // Rejecting is only possible before the card is charged.
  if (payment_lanes.mayBeLate(row.account_id)) throw tooBusy()
  const result = await processor.chargeCard(card)
  if (result === 'refused' || result === 'needs_confirmation') return result
  await payment_lanes.submit({
    command: attemptCommand(row, {
      card: summarizeCard(card),
      decline_code: declineCodes[result],
      is_disputed: result === 'disputed',
    }),
    account_id: row.account_id,
    background: false,
    // The result must be recorded even if the client has disconnected, however long it takes.
    isWanted: () => true,
    must_run: true,
    token: undefined,
    key: undefined,
    status: 200,
    render: statusJson,
  })
  return result
}

const declineCodes: Record<CardOutcome, DeclineCode | null> = {
  paid: null,
  disputed: null,
  declined: 'card_declined',
  insufficient_funds: 'insufficient_funds',
  processing_error: 'processing_error',
  authentication_failed: 'authentication_failed',
}
