// Schemas of settlements and of the comparison with the ledger, components of the OpenAPI document.

import { Type } from 'typebox'
import { reconciledLines } from '../../operations/reconciled-line.ts'
import { amount_max } from '../../primitives/money.ts'
import { settlementStatuses } from '../../settlements/settlement.ts'
import { fields, idOf, nullable, oneOf, timeOf } from './resources.ts'

const integer = (description: string, example: number) =>
  Type.Integer({ description, examples: [example] })
const text = (description: string, example: string) =>
  Type.String({ description, examples: [example] })
const currency = text('The ISO 4217 currency code.', 'EUR')

const amountOrNull = (description: string, example: number) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description, examples: [example] })

export const providerField = oneOf(['stripe', 'mollie'], {
  description: 'The payment provider.',
  examples: ['stripe'],
})

export const statusField = oneOf(settlementStatuses, {
  description: 'paid when the provider has sent the money; failed if the bank returned it.',
  examples: ['paid'],
})

/** An entry of a bank statement shows a settlement with its amount. */
export const moneyFilters = {
  amount: Type.Optional(
    Type.Integer({
      minimum: 0 - amount_max,
      maximum: amount_max,
      description: 'Only settlements with this amount in minor units.',
      examples: [87_060],
    }),
  ),
  currency: Type.Optional(fields.currency),
}

const line = Type.Object({
  kind: oneOf(['charge', 'refund', 'dispute', 'other', 'remainder'], {
    description:
      'other: fees of the provider, and charges of other programs. remainder: what the ' +
      'settlement contains beyond its entries, which should be 0.',
    examples: ['charge'],
  }),
  count: integer('The number of entries.', 12),
  amount: integer('The sum of their amounts in minor units.', 90_000),
  fee: integer('The sum of their fees.', 2_940),
  net: integer('The amount without the fees.', 87_060),
})

const reconciledLine = Type.Object({
  provider: text('The payment provider.', 'stripe'),
  currency,
  line: oneOf(reconciledLines, { description: 'What is compared.', examples: ['charges'] }),
  ledger: amountOrNull('The sum in the ledger; null if it does not have this line.', 90_000),
  at_provider: amountOrNull('The sum at the provider; null if it is not known.', 90_000),
  at_bank: amountOrNull('The sum on bank statements; null if it is not known.', 87_060),
  in_progress: integer('The part that only one side can have yet.', 0),
  difference: integer('What does not agree; 0 if everything does.', 0),
})

const difference = Type.Object({
  rule: text('The violated rule.', 'ledger_matches_provider'),
  account_id: nullable({
    description: 'The account, or null.',
    examples: ['acct_01h455vb4pex5vsknk084sn02q'],
  }),
  object: text('What differs.', 'charge ch_3Q2x'),
  found: text('What was found.', 'nothing in the ledger'),
  expected: text('What was expected.', '4200 EUR with a fee of 88, as at stripe'),
})

export const settlementComponents = {
  Settlement: Type.Object(
    {
      id: idOf('stl', 'The id of the settlement.'),
      provider: providerField,
      provider_id: text("The provider's id of the settlement.", 'po_1QK4vMB2eZvKYlo2CbQ7HqXz'),
      amount: integer('In minor units; negative if the provider debits the bank account.', 87_060),
      currency,
      status: statusField,
      entries: oneOf(['complete', 'in_progress', 'unavailable'], {
        description:
          'Whether all entries are known. unavailable: the provider does not list them, for ' +
          'example because a person chose the amount.',
        examples: ['complete'],
      }),
      lines: Type.Array(line, {
        description: 'The entries by kind. If all are known, the nets add up to the amount.',
      }),
      references: Type.Array(Type.String(), {
        description: 'What names the settlement on the bank statement.',
        examples: [['TRACE0001']],
      }),
      bank_entry_id: nullable({
        description: 'The entry of a bank statement that shows the settlement, or null.',
        examples: ['bse_01h455vb4pex5vsknk084sn02q'],
      }),
      returned_entry_id: nullable({
        description: 'The entry with which the bank has taken the settlement back, or null.',
        examples: [null],
      }),
      created_at: timeOf('When the provider created the settlement.'),
      arrives_at: timeOf('When the money is expected at the bank.'),
    },
    {
      $id: 'Settlement',
      description: "A transfer from the operator's balance at a payment provider to its bank.",
    },
  ),
  BalanceEntry: Type.Object(
    {
      id: idOf('ble', 'The id of the entry.'),
      provider_id: text("The provider's id of the entry.", 'txn_1QK4vMB2eZvKYlo2CbQ7HqXz'),
      kind: oneOf(['charge', 'refund', 'dispute', 'other'], {
        description: 'other: fees of the provider, and charges of other programs.',
        examples: ['charge'],
      }),
      source_id: nullable({
        description: "The provider's id of the charge, refund or dispute.",
        examples: ['ch_3Q2xMB2eZvKYlo2C'],
      }),
      account_id: nullable({
        description: 'The account that it belongs to; null if it belongs to none.',
        examples: ['acct_01h455vb4pex5vsknk084sn02q'],
      }),
      amount: integer('In minor units; negative if it reduces the balance.', 7500),
      fee: integer("The provider's fee.", 245),
      net: integer('The amount without the fee.', 7255),
      currency,
      created_at: timeOf('When the provider created the entry.'),
    },
    { $id: 'BalanceEntry', description: "A change of the operator's balance at a provider." },
  ),
  Reconciliation: Type.Object(
    {
      object: Type.Literal('reconciliation'),
      compared_at: nullable({
        format: 'date-time',
        description: 'When the worker last compared; null if it never did.',
        examples: ['2026-11-16T09:30:00.000Z'],
      }),
      lines: Type.Array(reconciledLine, { description: 'By provider and currency.' }),
      difference_count: integer('The number of differences.', 0),
      differences: Type.Array(difference, { description: 'The first 100 differences.' }),
    },
    { $id: 'Reconciliation', description: 'The ledger, the providers and the bank side by side.' },
  ),
}
