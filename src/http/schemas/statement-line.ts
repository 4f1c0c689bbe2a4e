// A line of the statement, a component of the OpenAPI document.

import { Type } from 'typebox'
import { lineTypes } from '../../transactions/statement-line.ts'
import { nullable, oneOf, time } from './parts.ts'

export const statementLineSchema = Type.Object(
  {
    sequence: Type.Integer({
      description:
        'The sequence number of the posting. Not every posting is a line, so there are gaps.',
      examples: [2],
    }),
    created_at: time('When the posting was made.'),
    transaction_id: Type.String({
      description: 'The transaction, payout (po_…) or transfer (tr_…) that caused the posting.',
      examples: ['txn_01h455vb4pex5vsknk084sn02q'],
      'x-documented': { pattern: '^(txn|po|tr)_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
    }),
    type: oneOf(lineTypes, {
      description:
        'The type of the transaction, or what else changed the balance: the fee of a payment, ' +
        'a dispute (negative when it is opened, positive when it is won), a transfer to or ' +
        'from another account, an overdraw (what the account owes from now on), its repayment, ' +
        'or a payout.',
      examples: ['payment'],
    }),
    status: oneOf(['pending', 'succeeded', 'failed', 'canceled'], {
      description:
        'The current status of the transaction. A payout or transfer is pending until it is ' +
        'paid or completed, and failed if the money was returned.',
      examples: ['succeeded'],
    }),
    reference: nullable({
      description: 'The current reference of the transaction.',
      examples: ['Invoice 2026-114'],
    }),
    amount: Type.Integer({
      description: 'The change of the available balance in minor units; negative for debits.',
      examples: [7500],
    }),
    available_after: Type.Integer({
      description: 'The available balance after this line.',
      examples: [7500],
    }),
  },
  { $id: 'StatementLine' },
)
