// The bank account that payers of an account transfer to.

import { Type } from 'typebox'
import { id, nullable } from './parts.ts'
import { strictObject } from './resources.ts'

const name = { description: 'The holder of the bank account.', examples: ['Acme GmbH'] }
const iban = {
  description: 'The IBAN, without spaces.',
  examples: ['DE89370400440532013000'],
}
const bic = { description: 'The BIC of the bank.', examples: ['COBADEFFXXX'] }
const label = { description: 'What it is.', examples: ['Routing number'] }
const value = { description: 'The value.', examples: ['021000021'] }
const fields = {
  description: 'What identifies the bank account in countries without IBANs, in this order.',
}

export const bankDetailsInput = {
  name: Type.String({ ...name, format: 'line', minLength: 1, maxLength: 70 }),
  iban: Type.Optional(
    Type.String({
      ...iban,
      format: 'line',
      maxLength: 50,
      description: 'The IBAN, with or without spaces. Its check digits are verified.',
    }),
  ),
  bic: Type.Optional(
    Type.String({
      ...bic,
      format: 'line',
      maxLength: 20,
      description: 'The BIC of the bank: 8 or 11 characters. Only with an IBAN.',
    }),
  ),
  fields: Type.Optional(
    Type.Array(
      strictObject({
        label: Type.String({ ...label, format: 'line', minLength: 1, maxLength: 40 }),
        value: Type.String({ ...value, format: 'line', minLength: 1, maxLength: 100 }),
      }),
      { ...fields, maxItems: 8, description: `${fields.description} Instead of an IBAN.` },
    ),
  ),
}

export const bankDetailsSchema = Type.Object(
  {
    account_id: id('acct', 'The id of the account.'),
    source: Type.Unsafe<'account' | 'instance' | null>({
      type: ['string', 'null'],
      enum: ['account', 'instance', null],
      description:
        'account: set for this account. instance: the bank account of the server. null: there ' +
        'is none, so payers cannot pay by transfer.',
      examples: ['account'],
    }),
    name: nullable(name),
    iban: nullable(iban),
    bic: nullable(bic),
    fields: Type.Array(Type.Object({ label: Type.String(label), value: Type.String(value) }), {
      ...fields,
      examples: [[]],
    }),
    updated_at: nullable({
      format: 'date-time',
      description: 'When it was set for this account, or null.',
      examples: ['2026-11-15T09:30:00.000Z'],
    }),
  },
  { $id: 'BankDetails', description: 'The bank account that payers of an account transfer to.' },
)
