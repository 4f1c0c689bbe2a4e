// Submits card attempts directly to the lanes, as the page does after charging the card.

import { attemptCommand } from '../../src/payments/commands.ts'
import { type PaymentEntry, PaymentLanes } from '../../src/payments/lanes.ts'
import { statusJson } from '../../src/payments/payment.ts'
import type { Db } from '../../src/postgres/database.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { patient } from '../support/florin.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'

export class Payers {
  readonly lanes: PaymentLanes

  constructor(db: Db) {
    this.lanes = new PaymentLanes(db, 'https://pay.example.com', patient)
  }

  /** Returns the status after the attempt, or the code of the error. */
  async attempt(shop: Shop, id: string, is_paid = true): Promise<string> {
    try {
      const { body } = await this.lanes.submit(attemptOf(shop, id, is_paid))
      return JSON.parse(String(body)).status
    } catch (error) {
      return (error as { code?: string }).code ?? String(error)
    }
  }
}

export function attemptOf(shop: Shop, id: string, is_paid: boolean): PaymentEntry {
  const command = attemptCommand(
    { account_id: shop.uuid, id: findUuid('payment', id)! },
    {
      card: { brand: 'visa', last4: is_paid ? '4242' : '0002' },
      decline_code: is_paid ? null : 'card_declined',
    },
  )
  return {
    command,
    account_id: shop.uuid,
    background: false,
    isWanted: () => true,
    token: undefined,
    key: undefined,
    status: 200,
    render: statusJson,
  }
}
