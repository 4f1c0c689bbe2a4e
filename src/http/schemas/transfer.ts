// The schemas of transfers and their fees, components of the OpenAPI document.

import { Type } from 'typebox'
import { directions, rejectionReasons, transferStatuses } from '../../transfers/transfer.ts'
import { idOf, nullable, oneOf, timeOf } from './resources.ts'

const feeAccount = nullable({
  description: 'The account that gets the fee; null without one.',
  examples: ['acct_01h455vb4pex5vsknk084sn02q'],
})

export const transferSchema = Type.Object(
  {
    id: idOf('tr', 'The id of the transfer.'),
    account_id: idOf('acct', 'The account whose view this is: the source or a recipient.'),
    direction: oneOf(directions, {
      description: 'outgoing for the source, incoming for the target, fee for the fee account.',
      examples: ['outgoing'],
    }),
    from_account_id: idOf('acct', 'The source.'),
    to_account_id: idOf('acct', 'The target.'),
    amount: Type.Integer({
      description: 'What the source was debited, in minor units. The target gets it minus the fee.',
      examples: [7500],
    }),
    fee_amount: Type.Integer({
      description: 'The part of amount that fee_account_id gets.',
      examples: [150],
    }),
    fee_account_id: feeAccount,
    currency: Type.String({
      description: 'The ISO 4217 currency code of all accounts of the transfer.',
      examples: ['USD'],
    }),
    reference: nullable({ description: 'Your reference, or null.', examples: ['Order 114'] }),
    status: oneOf(transferStatuses, {
      description:
        'in_transit until the target was credited, usually for about a second. returned if the ' +
        'target did not accept it.',
      examples: ['completed'],
    }),
    returned_amount: Type.Integer({
      description:
        'What the source got back: everything if returned, the fee if only the fee account did ' +
        'not accept it, else 0.',
      examples: [0],
    }),
    return_reason: Type.Unsafe<(typeof rejectionReasons)[number] | null>({
      type: ['string', 'null'],
      enum: [...rejectionReasons, null],
      description: 'Why an account did not accept its part; null if none was returned.',
      examples: [null],
    }),
    created_at: timeOf('When the source was debited.'),
    updated_at: timeOf('When the transfer last changed.'),
  },
  { $id: 'Transfer' },
)

export const transferFeeSchema = Type.Object(
  {
    account_id: idOf('acct', 'The account whose outgoing transfers have this fee.'),
    fee_account_id: feeAccount,
    basis_points: Type.Integer({
      description: 'Hundredths of a percent of the amount: 200 is 2 %. Rounded down.',
      examples: [200],
    }),
    fixed_amount: Type.Integer({
      description: 'In minor units, added to the percentage.',
      examples: [0],
    }),
    updated_at: nullable({
      format: 'date-time',
      description: 'When the fee was set; null without one.',
      examples: ['2026-11-15T09:30:00.000Z'],
    }),
  },
  { $id: 'TransferFee' },
)
