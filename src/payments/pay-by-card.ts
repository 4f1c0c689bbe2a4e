// A customer pays: the processor is asked about the card, and what it said is kept under the
// account's lock. Outside of any database transaction, because a processor may be far away.

import { tooBusy } from '../postgres/lane.ts'
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

export interface PayingParts {
  processor: Processor
  payment_lanes: PaymentLanes
}

/** What the card said. Throws when the request no longer takes money: nothing was paid then. */
export async function payByCard(
  { processor, payment_lanes }: PayingParts,
  row: PaymentRow,
  card: Card,
): Promise<CardResult> {
  if (processor.chargeCard === undefined) return 'refused'
  // Asked before the card is charged, and not after.
  if (payment_lanes.mayBeLate(row.account_id)) throw tooBusy()
  const response = await processor.chargeCard(card)
  if (response === 'refused') return response
  await payment_lanes.submit({
    command: attemptCommand(row, {
      card: summarizeCard(card),
      decline_code: declineCodes[response],
    }),
    account_id: row.account_id,
    background: false,
    // What the card said must be kept, whether or not somebody still waits for the page, and
    // however long it takes.
    isWanted: () => true,
    must_run: true,
    token: undefined,
    key: undefined,
    status: 200,
    render: statusJson,
  })
  return response
}

const declineCodes: Record<CardOutcome, DeclineCode | null> = {
  paid: null,
  declined: 'card_declined',
  insufficient_funds: 'insufficient_funds',
}
