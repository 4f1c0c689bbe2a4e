// The schemas of payouts, components of the OpenAPI document.

import { Type } from 'typebox'
import { payoutStatuses } from '../../payouts/payout.ts'
import { idOf, nullable, oneOf, timeOf } from './resources.ts'

const iban = {
  format: 'line',
  maxLength: 50,
  description: 'The IBAN. Spaces and lower case are accepted.',
  examples: ['DE89370400440532013000'],
}
const holder = {
  format: 'name',
  minLength: 1,
  maxLength: 70,
  description: 'The name of the account holder, as at the bank.',
  examples: ['Acme Ltd'],
}
const bic = {
  format: 'line',
  maxLength: 20,
  description: 'The BIC, for banks that require it.',
  examples: ['COBADEFFXXX'],
}

/** The bank account of a person or a business, as sent by a client. */
export const bankAccountInput = {
  name: Type.String(holder),
  iban: Type.String(iban),
  bic: Type.Optional(nullable(bic)),
}

const destination = {
  name: Type.String({ description: holder.description, examples: holder.examples }),
  iban: Type.String({ description: 'The IBAN without spaces.', examples: iban.examples }),
  bic: nullable({ description: 'The BIC, or null.', examples: bic.examples }),
}

export const payoutSchema = Type.Object(
  {
    id: idOf('po', 'The id of the payout.'),
    account_id: idOf('acct', 'The account that is paid out.'),
    amount: Type.Integer({ description: 'The amount in minor units.', examples: [7500] }),
    currency: Type.String({ description: 'The ISO 4217 currency code.', examples: ['EUR'] }),
    status: oneOf(payoutStatuses, {
      description:
        'pending_approval until an admin or a platform user approves it, approved until it is ' +
        'exported for the bank, in_transit until the bank has executed (paid) or rejected it ' +
        '(failed). A paid one may be returned by the bank. The amount is held until paid, and ' +
        'available again if failed, canceled or returned.',
      examples: ['pending_approval'],
    }),
    destination: Type.Object(destination, {
      description: 'The bank account, as it was when the payout was created.',
    }),
    reference: nullable({
      description: 'The text on the bank statement of the recipient, or null for the id.',
      examples: ['Payout of week 47'],
    }),
    reason: nullable({
      description: 'Why the bank rejected or returned it, or null.',
      examples: [null],
    }),
    created_by: idOf('usr', 'The user who created the payout.'),
    approved_by: nullable({
      description: 'The user who approved the payout; null if it is not or needed no approval.',
      examples: [null],
    }),
    export_id: nullable({
      description: 'The export that contains the payout, or null.',
      examples: [null],
    }),
    created_at: timeOf('When the payout was created.'),
    updated_at: timeOf('When the payout last changed.'),
  },
  { $id: 'Payout' },
)

export const payoutSettingsSchema = Type.Object(
  {
    account_id: idOf('acct', 'The account.'),
    destination: Type.Unsafe<{ name: string; iban: string; bic: string | null } | null>({
      type: ['object', 'null'],
      properties: destination,
      required: ['name', 'iban', 'bic'],
      description: 'The bank account for payouts; null if none was set.',
      examples: [{ name: 'Acme Ltd', iban: 'DE89370400440532013000', bic: null }],
    }),
    next_needs_approval: Type.Boolean({
      description:
        'Whether the next payout needs approval whatever its amount: none to this destination ' +
        'has been approved yet.',
      examples: [true],
    }),
    approval_limit: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description:
        'Payouts that exceed this total within 24 hours, in minor units, need approval; null ' +
        'if none does. Unless an admin has set it: 0 in live mode, null in sandbox mode.',
      examples: [0],
    }),
    updated_at: nullable({
      format: 'date-time',
      description: 'When the settings last changed; null if they never did.',
      examples: ['2026-11-15T09:30:00.000Z'],
    }),
  },
  { $id: 'PayoutSettings' },
)

export const payoutExportSchema = Type.Object(
  {
    id: idOf('pex', 'The id of the export.'),
    currency: Type.String({ description: 'The ISO 4217 currency code.', examples: ['EUR'] }),
    payouts: Type.Integer({ description: 'The number of payouts in the file.', examples: [12] }),
    refunds: Type.Integer({
      description: 'The number of refunds of bank transfers in the file.',
      examples: [1],
    }),
    amount: Type.Integer({ description: 'Their sum in minor units.', examples: [90000] }),
    created_by: idOf('usr', 'The user who created the export.'),
    created_at: timeOf('When the export was created.'),
  },
  { $id: 'PayoutExport' },
)
