// The branding of an account.

import { Type } from 'typebox'
import { id, nullable } from './parts.ts'

const color = {
  description: 'The color of buttons on the payment page and in emails, as #rrggbb.',
  examples: ['#7a1f5c'],
}
const support_email = {
  description: 'The address for questions of customers. Without one, the email of the account.',
  examples: ['help@acme.example'],
}
const support_phone = {
  description: 'The phone number for questions of customers.',
  examples: ['+1 555 010 0199'],
}
const website = {
  description: 'The website of the business.',
  examples: ['https://acme.example/'],
}
const terms_url = {
  description: 'The terms of the business.',
  examples: ['https://acme.example/terms'],
}
const statement_name = {
  description:
    "What the customer's bank statement shows. The payment page announces it; set the same name " +
    'at your payment provider.',
  examples: ['ACME LTD'],
}
const payment_instructions = {
  description:
    'How to pay by transfer, as text with line breaks. It replaces FLORIN_PAYMENT_INSTRUCTIONS ' +
    'for this account.',
  examples: ['Transfer the amount to Acme Ltd.\nIBAN DE02 1203 0000 0000 2020 51'],
}

const given = (options: object) => Type.Optional(nullable(options))

/** null removes a value. */
export const brandingInput = {
  accent_color: given({
    ...color,
    format: 'line',
    maxLength: 7,
    description:
      `${color.description} White or black text on it must reach a contrast of 4.5:1, and the ` +
      'color itself 3:1 with a white page. A darker page uses a lighter shade.',
  }),
  support_email: given({ ...support_email, format: 'email', maxLength: 254 }),
  support_phone: given({ ...support_phone, format: 'line', maxLength: 30 }),
  website: given({ ...website, format: 'line', maxLength: 500 }),
  terms_url: given({ ...terms_url, format: 'line', maxLength: 500 }),
  statement_name: given({
    ...statement_name,
    format: 'line',
    maxLength: 22,
    description: `${statement_name.description} 5 to 22 characters: a-z, 0-9, spaces, .,&+/*-`,
  }),
  payment_instructions: given({ ...payment_instructions, maxLength: 1_000 }),
}

export const brandingSchema = Type.Object(
  {
    account_id: id('acct', 'The id of the account.'),
    logo_url: nullable({
      description: 'The public URL of the logo, or null. A changed logo has another URL.',
      examples: [
        'https://pay.example.com/brand/acct_01h455vb4pex5vsknk084sn02q/' +
          '5f0c1a3e9b7d2468ace013579bdf2468',
      ],
    }),
    accent_color: nullable(color),
    support_email: nullable(support_email),
    support_phone: nullable(support_phone),
    website: nullable(website),
    terms_url: nullable(terms_url),
    statement_name: nullable(statement_name),
    payment_instructions: nullable(payment_instructions),
    updated_at: nullable({
      format: 'date-time',
      description: 'When it was last changed, or null.',
      examples: ['2026-11-15T09:30:00.000Z'],
    }),
  },
  { $id: 'Branding', description: 'What payers see of an account next to its name.' },
)
