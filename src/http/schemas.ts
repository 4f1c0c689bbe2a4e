// The shapes that requests and answers have. One schema gives validation, serialisation, types and
// the OpenAPI file, so what the documentation says is what the server does.

import type { Static, TSchema } from 'typebox'
import { currencies } from '../primitives/currencies.ts'
import { amount_max } from '../primitives/money.ts'
import { password_length_max, password_sent_max } from '../primitives/password-length.ts'
import { listedEmail } from './email-schema.ts'
import { paymentComponents } from './payment-schemas.ts'
import { refusalStatus } from './refusal-status.ts'
import { documentedAs, id, nullable, oneOf, time } from './schema-parts.ts'
import { Type } from './type.ts'
import { webhookComponents } from './webhook-schemas.ts'

export { documentedAs, nullable, oneOf }

export const fields = {
  email: Type.String({
    format: 'email',
    maxLength: 254,
    description: 'An email address. Compared without regard to case, kept as given.',
    examples: ['ann@example.com'],
  }),
  password: Type.String({
    format: 'line',
    maxLength: password_sent_max,
    description:
      'At least 8 characters in sandbox, 15 in live mode, and at most 128, counted after NFKC. ' +
      'Never returned.',
    examples: ['correct horse battery'],
    'x-secret': true,
    // Counted after normalization, so the server checks it in code.
    'x-documented': { minLength: 8, maxLength: password_length_max },
  }),
  userName: nullable({
    format: 'name',
    minLength: 1,
    maxLength: 200,
    description: "The person's name. null clears it.",
    examples: ['Ann Example'],
  }),
  accountName: Type.String({
    format: 'name',
    minLength: 1,
    maxLength: 200,
    description: 'The name of the business or the individual.',
    examples: ['Acme Ltd'],
  }),
  userStatus: oneOf(['active', 'suspended', 'pending'], {
    description: 'Only an active user can log in.',
  }),
  accountStatus: oneOf(['active', 'suspended', 'pending', 'closed'], {
    description: 'A suspended or pending account takes no new payments. Closed is for good.',
  }),
  accountType: oneOf(['individual', 'business'], {
    description: 'Whether one person or a business gets paid.',
    examples: ['business'],
  }),
  amount: Type.Integer({
    minimum: 1,
    maximum: amount_max,
    description: 'In minor units: 7500 is 75.00 of the currency.',
    examples: [7500],
  }),
  currency: Type.String({
    format: 'currency',
    description: "The account's currency: another one is refused.",
    examples: ['USD'],
  }),
  metadata: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description:
      'Up to 50 keys of your own, any JSON, 16 KiB in all. Whole numbers beyond 2^53 − 1 are ' +
      'sent as text. Decimals are kept to 17 significant digits; send more as text.',
    examples: [{ order: '114' }],
  }),
  timezone: Type.String({
    format: 'timezone',
    maxLength: 100,
    description: 'The time zone that days begin and end in.',
    examples: ['Europe/Berlin'],
  }),
  language: Type.String({
    format: 'language',
    maxLength: 100,
    description: 'The language of what people read.',
    examples: ['de'],
  }),
}

export function strictObject<Properties extends Record<string, TSchema>>(
  properties: Properties,
  options: object = {},
) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

const givenSettings = strictObject(
  {
    currency: Type.Optional(
      Type.String({
        format: 'currency',
        description:
          'The base currency, fixed by the first transaction, payment request or subscription.',
        examples: ['USD'],
      }),
    ),
    timezone: Type.Optional(fields.timezone),
    language: Type.Optional(fields.language),
  },
  { description: 'Preferences. What is left out keeps its value, at first USD, UTC and en.' },
)

export const settingsInput = givenSettings
export type SettingsInput = Static<typeof givenSettings>

const listedTransaction = {
  id: id('txn', 'The id of the transaction.'),
  account_id: id('acct', 'The account it belongs to.'),
  amount: Type.Integer({ description: 'In minor units.', examples: [7500] }),
  currency: Type.String({ description: 'ISO 4217.', examples: ['USD'] }),
  type: oneOf(['payment', 'credit', 'refund'], { description: 'Refunds send money back out.' }),
  status: oneOf(['pending', 'succeeded', 'failed', 'canceled'], {
    description: 'It leaves pending exactly once.',
  }),
  reference: nullable({ description: 'Your reference, or null.', examples: ['Invoice 2026-114'] }),
  metadata: Type.Object(
    {},
    { additionalProperties: true, description: 'Your own keys.', examples: [{ order: '114' }] },
  ),
  created_at: time('When the transaction was created.'),
}

/** Shapes that answers share, named in the OpenAPI file's components. */
export const components = {
  ...webhookComponents,
  ...paymentComponents,
  Currency: oneOf([...currencies.keys()], {
    $id: 'Currency',
    description: 'An active ISO 4217 code.',
    examples: ['USD'],
  }),
  Error: Type.Object(
    {
      error: oneOf(Object.keys(refusalStatus), {
        description: 'The code. Programs decide by it.',
      }),
      message: Type.String({ description: 'What went wrong and what to do, for people.' }),
    },
    { $id: 'Error' },
  ),
  User: Type.Object(
    {
      id: id('usr', 'The id of the user.'),
      email: Type.String({ description: 'The log-in.', examples: ['ann@example.com'] }),
      name: nullable({ description: 'The name, or null.', examples: ['Ann Example'] }),
      status: fields.userStatus,
      created_at: time('When the user was created.'),
      updated_at: time('When the user last changed.'),
    },
    { $id: 'User' },
  ),
  Account: Type.Object(
    {
      id: id('acct', 'The id of the account.'),
      email: Type.String({ description: "The owner's log-in.", examples: ['pay@acme.example'] }),
      name: Type.String({ description: 'Who gets paid.', examples: ['Acme Ltd'] }),
      type: fields.accountType,
      status: fields.accountStatus,
      created_at: time('When the account was opened.'),
      updated_at: time('When the account last changed.'),
      settings: Type.Object({
        currency: Type.String({ description: 'ISO 4217.', examples: ['USD'] }),
        timezone: Type.String({ description: 'An IANA time zone.', examples: ['UTC'] }),
        language: Type.String({ description: 'A BCP 47 language tag.', examples: ['en'] }),
      }),
    },
    { $id: 'Account' },
  ),
  ListedAccount: Type.Object(
    {
      id: id('acct', 'The id of the account.'),
      email: Type.String({ description: "The owner's log-in.", examples: ['pay@acme.example'] }),
      name: Type.String({ description: 'Who gets paid.', examples: ['Acme Ltd'] }),
      type: fields.accountType,
      status: fields.accountStatus,
      created_at: time('When the account was opened.'),
      updated_at: time('When the account last changed.'),
    },
    { $id: 'ListedAccount', description: 'An account as lists show it: without settings.' },
  ),
  Transaction: Type.Object(
    {
      ...listedTransaction,
      updated_at: time('When the transaction last changed.'),
    },
    { $id: 'Transaction' },
  ),
  ListedTransaction: Type.Object(listedTransaction, {
    $id: 'ListedTransaction',
    description: 'A transaction as created and as lists show it: without updated_at.',
  }),
  ListedEmail: Type.Object(listedEmail, {
    $id: 'ListedEmail',
    description: 'An email as lists show it: without its text.',
  }),
  Email: Type.Object(
    {
      ...listedEmail,
      text: Type.String({ description: 'The plain text.', examples: ['You paid Acme Ltd'] }),
      html: Type.String({ description: 'The HTML.', examples: ['<!doctype html>'] }),
    },
    { $id: 'Email' },
  ),
  Balance: Type.Object(
    {
      account_id: id('acct', 'The account.'),
      currency: Type.String({ description: 'ISO 4217.', examples: ['USD'] }),
      available: Type.Integer({
        description: 'What has settled and is not held: refunds are taken from it.',
        examples: [7500],
      }),
      incoming: Type.Integer({
        description: 'Payments and credits that are still pending.',
        examples: [1200],
      }),
      held: Type.Integer({ description: 'Refunds that are still pending.', examples: [0] }),
      updated_at: time('When money last moved, or else when the account was opened.'),
    },
    { $id: 'Balance', description: 'Amounts are in minor units.' },
  ),
  StatementLine: Type.Object(
    {
      sequence: Type.Integer({
        description: 'Numbers the movements of the account. Some are no lines: there are gaps.',
        examples: [2],
      }),
      created_at: time('When the money moved.'),
      transaction_id: id('txn', 'The transaction it moved for.'),
      type: oneOf(['payment', 'credit', 'refund'], { description: 'Of the transaction.' }),
      status: oneOf(['pending', 'succeeded', 'failed', 'canceled'], {
        description: 'Of the transaction, as it is now.',
        examples: ['succeeded'],
      }),
      reference: nullable({
        description: 'Of the transaction, as it is now.',
        examples: ['Invoice 2026-114'],
      }),
      amount: Type.Integer({
        description: 'In minor units; negative when it left available.',
        examples: [7500],
      }),
      available_after: Type.Integer({
        description: 'The available balance that this movement left.',
        examples: [7500],
      }),
    },
    { $id: 'StatementLine' },
  ),
  Session: Type.Object(
    {
      id: id('ses', 'The id of the session.'),
      current: Type.Boolean({
        description: 'Whether this request came in this session.',
        examples: [true],
      }),
      address: Type.String({ description: 'Where it was opened.', examples: ['203.0.113.7'] }),
      user_agent: nullable({ description: 'What it was opened with.', examples: ['curl/8.5.0'] }),
      created_at: time('When the session was opened.'),
      refreshed_at: time('When its tokens were last renewed.'),
      expires_at: time('When it ends, however often it is renewed.'),
    },
    { $id: 'Session' },
  ),
}

/** Of the right shape, and plainly nobody's. */
export const exampleToken = (prefix: 'fat' | 'frt') => `${prefix}_${'example'.repeat(6)}0`

export const tokenFields = {
  access_token: Type.String({
    description: 'Send it as `Authorization: Bearer …`.',
    examples: [exampleToken('fat')],
  }),
  refresh_token: Type.String({
    description: 'Works once, at POST /v1/auth/refresh.',
    examples: [exampleToken('frt')],
  }),
  token_type: Type.Literal('Bearer', { description: 'Always Bearer.' }),
  expires_in: Type.Integer({ description: 'Seconds the access token lives.', examples: [3600] }),
  session_id: id('ses', 'Names this session for DELETE /v1/auth/session.'),
}

export const idOf = id
export const timeOf = time

export const messageOf = (example: string) =>
  Type.String({ description: 'What happened, for people.', examples: [example] })

export const countOf = (description: string, example: number) =>
  Type.Integer({ description, examples: [example] })

export const pageQuery = {
  page: Type.Integer({ minimum: 1, default: 1, description: 'Which page, from 1.' }),
  limit: Type.Integer({
    minimum: 1,
    default: 25,
    description: 'Entries on a page. More than 100 means 100.',
  }),
}

export const cursorQuery = {
  limit: Type.Integer({
    minimum: 1,
    default: 20,
    description: 'Entries at the most. More than 100 means 100.',
  }),
  starting_after: Type.Optional(
    Type.String({ description: 'An id: the page begins with the entry after it, walking older.' }),
  ),
  ending_before: Type.Optional(
    Type.String({ description: 'An id: the page ends with the entry before it, walking newer.' }),
  ),
}

export function cursorList(item: keyof typeof components) {
  return Type.Object({
    object: Type.Literal('list'),
    data: Type.Array(Type.Ref(item)),
    has_more: Type.Boolean({
      description: 'Whether there are more entries in this direction.',
      examples: [false],
    }),
  })
}
