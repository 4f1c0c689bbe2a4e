// Schemas of bank statements, components of the OpenAPI document.

import { Type } from 'typebox'
import { entryStatuses } from '../../bank-statements/bank-entry.ts'
import { idOf, nullable, oneOf, strictObject, timeOf } from './resources.ts'

const text = (description: string, example: string) =>
  nullable({ description, examples: [example] })
const count = (description: string, example: number) =>
  Type.Integer({ description, examples: [example] })

const balance = (description: string) =>
  Type.Unsafe<{ amount: number; on: string | null } | null>({
    type: ['object', 'null'],
    properties: {
      amount: Type.Integer({ description: 'In minor units; negative if overdrawn.' }),
      on: nullable({ description: 'The day, YYYY-MM-DD.', examples: ['2026-11-16'] }),
    },
    required: ['amount', 'on'],
    description,
    examples: [{ amount: 120_000, on: '2026-11-16' }],
  })

const bankAccount = Type.String({
  description: "The operator's bank account: its IBAN, or another number.",
  examples: ['DE89370400440532013000'],
})

const proposal = Type.Object({
  payment_id: idOf('pay', 'A payment request that the entry may pay.'),
  reasons: Type.Array(Type.String(), {
    description: 'What speaks for it, and how the entry differs from it.',
    examples: [['same_reference', 'short']],
  }),
  difference: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Received minus expected; null in another currency.',
    examples: [-500],
  }),
})

const exampleMap = {
  account: 'DE89370400440532013000',
  currency: 'EUR',
  delimiter: ';',
  decimal_sign: ',',
  date_format: 'DD.MM.YYYY',
  encoding: 'auto',
  skipped_lines: 0,
  columns: {
    booked_on: 'Buchungstag',
    amount: 'Betrag',
    counterparty_name: 'Auftraggeber',
    counterparty_account: 'IBAN',
    remittance: ['Verwendungszweck'],
  },
}

export const columnMapSchema = strictObject(
  {
    account: Type.String({
      format: 'line',
      minLength: 1,
      maxLength: 34,
      description: 'The IBAN or number of the account, which most exports do not contain.',
      examples: ['DE89370400440532013000'],
    }),
    currency: Type.String({ format: 'currency', description: 'ISO 4217.', examples: ['EUR'] }),
    delimiter: oneOf([',', ';', '\t', '|'], {
      description: 'Between columns: a comma, a semicolon, a tab or a vertical bar.',
      examples: [';'],
      // Generators for Go reject a tab in an enum.
      'x-documented': { enum: undefined, pattern: '^[,;\\t|]$' },
    }),
    decimal_sign: oneOf([',', '.'], { description: 'In amounts.', examples: [','] }),
    date_format: Type.String({
      format: 'line',
      maxLength: 20,
      description: 'YYYY or YY, MM and DD, with the signs between them.',
      examples: ['DD.MM.YYYY'],
    }),
    encoding: oneOf(['auto', 'utf-8', 'windows-1252', 'iso-8859-15', 'utf-16le', 'utf-16be'], {
      description: 'auto: UTF-8 or Windows-1252.',
      examples: ['auto'],
    }),
    skipped_lines: Type.Integer({
      minimum: 0,
      maximum: 1_000,
      description: 'The number of lines before the header.',
      examples: [0],
    }),
    columns: columnsSchema(),
  },
  { description: 'How the columns of a CSV export are read.', examples: [exampleMap] },
)

function columnsSchema() {
  const column = (description: string) =>
    Type.Unsafe<string | number>({
      type: ['string', 'integer'],
      maxLength: 200,
      minimum: 1,
      maximum: 1_000,
      description,
      examples: ['Buchungstag'],
      // Generators for Go reject a list of types without null.
      'x-documented': { type: undefined, ...alternatives },
    })
  const alternatives = {
    ...{ maxLength: undefined, minimum: undefined, maximum: undefined },
    anyOf: [
      { type: 'string', maxLength: 200 },
      { type: 'integer', minimum: 1, maximum: 1_000 },
    ],
  }
  const optional = (description: string) => Type.Optional(column(description))
  return strictObject(
    {
      booked_on: column('The booking date.'),
      value_on: optional('The value date.'),
      amount: optional('The amount, with a sign or with direction.'),
      credit: optional('The amount of credits, with debit instead of amount.'),
      debit: optional('The amount of debits.'),
      direction: Type.Optional(
        strictObject({
          column: column('The column that distinguishes credits from debits.'),
          credit: Type.String({
            format: 'line',
            maxLength: 50,
            description: 'Its text of credits.',
          }),
          debit: Type.String({ format: 'line', maxLength: 50, description: 'Its text of debits.' }),
        }),
      ),
      currency: optional('The currency, if entries have several.'),
      counterparty_name: optional('The payer or payee.'),
      counterparty_account: optional('The IBAN or number of the payer or payee.'),
      remittance: Type.Optional(
        Type.Array(column('A column.'), {
          maxItems: 20,
          description: 'The columns of the text that the payer wrote, joined in this order.',
          examples: [['Verwendungszweck']],
        }),
      ),
      bank_reference: optional("The bank's reference of the entry."),
      end_to_end_id: optional('The end-to-end id.'),
      description: optional("The bank's name of this kind of entry."),
    },
    { description: 'The name of each column in the header, or its number from 1.' },
  )
}

export const bankComponents = {
  BankStatement: Type.Object(
    {
      id: idOf('stm', 'The id of the statement.'),
      bank_account: bankAccount,
      format: oneOf(['camt.053', 'camt.054', 'mt940', 'ofx', 'csv'], {
        description: 'The format of the file.',
        examples: ['camt.053'],
      }),
      bank_id: text("The bank's id of the statement.", '2026-320'),
      sequence: text("The bank's number of the statement.", '320'),
      currency: text('The ISO 4217 currency code.', 'EUR'),
      opening_balance: balance('The balance before the first entry; null if the file has none.'),
      closing_balance: balance('The balance after the last entry; null if the file has none.'),
      entry_count: count('The number of booked entries.', 12),
      new_count: count(
        'Those that no statement imported before had. Two equal entries without a bank reference ' +
          'in two files count as one.',
        12,
      ),
      pending_count: count('Entries that the bank had not booked. They are not stored.', 0),
      gap: text(
        'Why the statement does not continue the one before it; null if it does, or if unknown.',
        'The opening balance must be 1100.00 EUR, the closing balance of the previous statement.',
      ),
      created_at: timeOf('When the statement was imported.'),
    },
    { $id: 'BankStatement' },
  ),
  BankEntry: Type.Object(
    {
      id: idOf('bse', 'The id of the entry.'),
      statement_id: idOf('stm', 'The statement that had it first.'),
      bank_account: bankAccount,
      amount: count('The amount in minor units, never negative.', 7500),
      currency: Type.String({ description: 'The ISO 4217 currency code.', examples: ['EUR'] }),
      direction: oneOf(['credit', 'debit'], {
        description: 'credit: money arrived. debit: money left.',
      }),
      is_reversal: Type.Boolean({
        description: 'Whether the bank takes back an earlier entry.',
        examples: [false],
      }),
      is_complete: Type.Boolean({
        description:
          'false if the transfers in the entry do not add up to its amount. Then a match needs ' +
          'late, and the entry has no payer if there may be several.',
        examples: [true],
      }),
      booked_on: text('The day of the booking.', '2026-11-16'),
      value_on: text('The value date.', '2026-11-16'),
      bank_reference: text("The bank's reference.", '2026111600123'),
      end_to_end_id: text('Set by the payer.', 'NOTPROVIDED'),
      creditor_reference: text('The structured reference.', 'RF18539007547034'),
      counterparty_name: text('The payer or payee.', 'Jane Doe'),
      counterparty_account: text(
        'The IBAN or number of the payer or payee.',
        'FR1420041010050500013M02606',
      ),
      remittance: text('What the payer wrote.', 'Invoice 114'),
      return_reason: text('The ISO code of a returned transfer.', 'AC04'),
      status: oneOf(entryStatuses, {
        description:
          'new until it is matched; open if a person must decide; settling and then settled; or ' +
          'ignored.',
        examples: ['open'],
      }),
      reason: text(
        'Why it did not settle by itself: unknown, short, over, late, already_paid, ' +
          'wrong_currency, ambiguous, reversal, returned or incomplete_batch.',
        'short',
      ),
      proposals: Type.Array(proposal, { description: 'What it may pay, most likely first.' }),
      payment_id: text('The payment request that it pays.', 'pay_01h455vb4pex5vsknk084sn02q'),
      account_id: text('The account of that request.', 'acct_01h455vb4pex5vsknk084sn02q'),
      settles: text('The id of what it has settled.', 'pay_01h455vb4pex5vsknk084sn02q'),
      note: text('The note of the person who decided.', 'Confirmed by phone.'),
      created_at: timeOf('When the entry was imported.'),
      updated_at: timeOf('When the entry last changed.'),
    },
    { $id: 'BankEntry', description: 'A transaction on a bank statement.' },
  ),
  BankColumnMap: Type.Object(
    {
      name: Type.String({ description: 'The name.', examples: ['Sparkasse'] }),
      column_map: Type.Object(
        {},
        { additionalProperties: true, description: 'As it was saved.', examples: [exampleMap] },
      ),
      updated_at: timeOf('When it was saved.'),
    },
    { $id: 'BankColumnMap', description: 'How the CSV export of a bank is read.' },
  ),
}
