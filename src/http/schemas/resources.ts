// Request and response schemas. One schema provides validation, serialization, types and the
// OpenAPI document, so the documentation matches the server.

import { type TSchema, Type } from 'typebox'
import { currencies } from '../../primitives/currencies.ts'
import { amount_max } from '../../primitives/money.ts'
import { password_length_max, password_sent_max } from '../../primitives/secrets.ts'
import { refusalStatus } from '../refusal-status.ts'
import { listedEmail } from './email.ts'
import { documentedAs, id, nullable, oneOf, time } from './parts.ts'
import { paymentComponents } from './payment.ts'
import { statementLineSchema } from './statement-line.ts'
import { webhookComponents } from './webhook.ts'

export { documentedAs, nullable, oneOf }

export const fields = {
  email: Type.String({
    format: 'email',
    maxLength: 254,
    description: 'An email address. Comparison ignores case; the original spelling is stored.',
    examples: ['ann@example.com'],
  }),
  password: Type.String({
    format: 'line',
    maxLength: password_sent_max,
    description:
      'At least 8 characters in sandbox mode or 15 in live mode, and at most 128, counted after ' +
      'NFKC normalization. Never returned.',
    examples: ['correct horse battery'],
    'x-secret': true,
    // The length is counted after normalization, so the server checks it in code.
    'x-documented': { minLength: 8, maxLength: password_length_max },
  }),
  userName: nullable({
    format: 'name',
    minLength: 1,
    maxLength: 200,
    description: 'The name of the user. null clears it.',
    examples: ['Ann Example'],
  }),
  accountName: Type.String({
    format: 'name',
    minLength: 1,
    maxLength: 200,
    description: 'The name of the business or individual.',
    examples: ['Acme Ltd'],
  }),
  userStatus: oneOf(['active', 'suspended', 'pending'], {
    description: 'Only an active user can log in.',
  }),
  accountStatus: oneOf(['active', 'suspended', 'pending', 'closed'], {
    description: 'A suspended or pending account accepts no new payments. closed is final.',
  }),
  accountType: oneOf(['individual', 'business'], {
    description: 'Whether the account belongs to a person or a business.',
    examples: ['business'],
  }),
  amount: Type.Integer({
    minimum: 1,
    maximum: amount_max,
    description: 'The amount in minor units: 7500 is 75.00 in most currencies.',
    examples: [7500],
  }),
  currency: Type.String({
    format: 'currency',
    description: "Must be the account's currency.",
    examples: ['USD'],
  }),
  metadata: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description:
      'Up to 50 custom keys with any JSON value, 16 KiB in total. Send integers beyond 2^53 − 1 ' +
      'and decimals with more than 17 significant digits as strings.',
    examples: [{ order: '114' }],
  }),
  timezone: Type.String({
    format: 'timezone',
    maxLength: 100,
    description: 'The time zone that determines when a day starts.',
    examples: ['Europe/Berlin'],
  }),
  language: Type.String({
    format: 'language',
    maxLength: 100,
    description: 'The language of emails and pages.',
    examples: ['de'],
  }),
}

export function strictObject<Properties extends Record<string, TSchema>>(
  properties: Properties,
  options: object = {},
) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** For routes that take no body: one may be missing or `{}`. */
export const withoutBody = strictObject({})

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
  { description: 'Preferences. Omitted fields keep their value. Defaults: USD, UTC and en.' },
)

export const settingsInput = givenSettings

const listedTransaction = {
  id: id('txn', 'The id of the transaction.'),
  account_id: id('acct', 'The account that the transaction belongs to.'),
  amount: Type.Integer({ description: 'The amount in minor units.', examples: [7500] }),
  currency: Type.String({ description: 'The ISO 4217 currency code.', examples: ['USD'] }),
  type: oneOf(['payment', 'credit', 'refund'], {
    description: 'The type. Payments and credits add to the balance; refunds reduce it.',
  }),
  status: oneOf(['pending', 'succeeded', 'failed', 'canceled'], {
    description: 'The status. It leaves pending exactly once and is then final.',
  }),
  reference: nullable({ description: 'Your reference, or null.', examples: ['Invoice 2026-114'] }),
  metadata: Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'Custom key-value data.',
      examples: [{ order: '114' }],
    },
  ),
  created_at: time('When the transaction was created.'),
}

const listedAccount = {
  id: id('acct', 'The id of the account.'),
  email: Type.String({
    description: 'The login email of the owner.',
    examples: ['pay@acme.example'],
  }),
  name: Type.String({
    description: 'The name of the business or individual.',
    examples: ['Acme Ltd'],
  }),
  type: fields.accountType,
  status: fields.accountStatus,
  created_at: time('When the account was opened.'),
  updated_at: time('When the account last changed.'),
}

/** Schemas that responses share, named as components of the OpenAPI document. */
export const components = {
  ...webhookComponents,
  ...paymentComponents,
  Currency: oneOf([...currencies.keys()], {
    $id: 'Currency',
    description: 'An active ISO 4217 currency code.',
    examples: ['USD'],
  }),
  Error: Type.Object(
    {
      error: oneOf(Object.keys(refusalStatus), {
        description: 'A machine-readable error code.',
      }),
      message: Type.String({ description: 'What went wrong and what to do next, for humans.' }),
    },
    { $id: 'Error' },
  ),
  User: Type.Object(
    {
      id: id('usr', 'The id of the user.'),
      email: Type.String({
        description: 'The email address used to log in.',
        examples: ['ann@example.com'],
      }),
      name: nullable({ description: 'The name of the user, or null.', examples: ['Ann Example'] }),
      status: fields.userStatus,
      created_at: time('When the user was created.'),
      updated_at: time('When the user last changed.'),
    },
    { $id: 'User' },
  ),
  Account: Type.Object(
    {
      ...listedAccount,
      settings: Type.Object({
        currency: Type.String({ description: 'The ISO 4217 currency code.', examples: ['USD'] }),
        timezone: Type.String({ description: 'An IANA time zone.', examples: ['UTC'] }),
        language: Type.String({ description: 'A BCP 47 language tag.', examples: ['en'] }),
      }),
    },
    { $id: 'Account' },
  ),
  ListedAccount: Type.Object(listedAccount, {
    $id: 'ListedAccount',
    description: 'An account as returned in lists, without settings.',
  }),
  Transaction: Type.Object(
    {
      ...listedTransaction,
      updated_at: time('When the transaction last changed.'),
    },
    { $id: 'Transaction' },
  ),
  ListedTransaction: Type.Object(listedTransaction, {
    $id: 'ListedTransaction',
    description: 'A transaction as returned on creation and in lists, without updated_at.',
  }),
  ListedEmail: Type.Object(listedEmail, {
    $id: 'ListedEmail',
    description: 'An email as returned in lists, without its content.',
  }),
  Email: Type.Object(
    {
      ...listedEmail,
      text: Type.String({
        description: 'The plain-text version.',
        examples: ['You paid Acme Ltd'],
      }),
      html: Type.String({ description: 'The HTML version.', examples: ['<!doctype html>'] }),
    },
    { $id: 'Email' },
  ),
  Balance: Type.Object(
    {
      account_id: id('acct', 'The account.'),
      currency: Type.String({ description: 'The ISO 4217 currency code.', examples: ['USD'] }),
      available: Type.Integer({
        description: 'Settled funds that are not held. Refunds are paid from it.',
        examples: [7500],
      }),
      incoming: Type.Integer({
        description: 'Pending payments and credits.',
        examples: [1200],
      }),
      held: Type.Integer({
        description: 'Funds reserved for pending refunds and open payouts.',
        examples: [0],
      }),
      owed: Type.Integer({
        description:
          'What the account owes after fees, disputes or refunds that its available balance did ' +
          'not cover. Money that becomes available repays it first.',
        examples: [0],
      }),
      updated_at: time('When the balance last changed, or when the account was opened.'),
    },
    { $id: 'Balance', description: 'Amounts are in minor units.' },
  ),
  StatementLine: statementLineSchema,
  Session: Type.Object(
    {
      id: id('ses', 'The id of the session.'),
      current: Type.Boolean({
        description: 'Whether this request belongs to this session.',
        examples: [true],
      }),
      address: Type.String({
        description: 'The IP address of the login.',
        examples: ['203.0.113.7'],
      }),
      user_agent: nullable({
        description: 'The user agent of the login.',
        examples: ['curl/8.5.0'],
      }),
      created_at: time('When the session started.'),
      refreshed_at: time('When the tokens were last refreshed.'),
      expires_at: time('When the session ends, no matter how often it is refreshed.'),
    },
    { $id: 'Session' },
  ),
}

/** Has the right format, and is obviously not a real token. */
export const exampleToken = (prefix: 'fat' | 'frt') => `${prefix}_${'example'.repeat(6)}0`

export const tokenFields = {
  access_token: Type.String({
    description: 'Send it as `Authorization: Bearer …`.',
    examples: [exampleToken('fat')],
  }),
  refresh_token: Type.String({
    description: 'Exchange it once at POST /v1/auth/refresh.',
    examples: [exampleToken('frt')],
  }),
  token_type: Type.Literal('Bearer', { description: 'Always Bearer.' }),
  expires_in: Type.Integer({
    description: 'The lifetime of the access token in seconds.',
    examples: [3600],
  }),
  session_id: id('ses', 'The id of the session, for DELETE /v1/auth/session.'),
}

export const idOf = id
export const timeOf = time

export const messageOf = (example: string) =>
  Type.String({ description: 'A summary for humans.', examples: [example] })

export const countOf = (description: string, example: number) =>
  Type.Integer({ description, examples: [example] })

export const pageQuery = {
  page: Type.Integer({ minimum: 1, default: 1, description: 'The page number, starting at 1.' }),
  limit: Type.Integer({
    minimum: 1,
    default: 25,
    description: 'The number of entries per page. Values over 100 are treated as 100.',
  }),
}

export const cursorQuery = {
  limit: Type.Integer({
    minimum: 1,
    default: 20,
    description: 'The maximum number of entries. Values over 100 are treated as 100.',
  }),
  starting_after: Type.Optional(
    Type.String({
      description:
        'A cursor: the id of an entry. Returns the entries after it, going back in time.',
    }),
  ),
  ending_before: Type.Optional(
    Type.String({
      description: 'A cursor: the id of an entry. Returns the entries before it, which are newer.',
    }),
  ),
}

export const settlementInput = strictObject({
  outcome: oneOf(['succeeded', 'failed']),
  reason: Type.Optional(
    Type.String({
      format: 'line',
      maxLength: 255,
      description: 'Stored in the audit log.',
      examples: ['Seen on the bank statement of 15 November.'],
    }),
  ),
})

/** A page of a list. The item is the name of a component. */
export const cursorList = (item: string) =>
  listOf(item, 'Whether there are more entries in this direction.')

/** A list that is always complete. */
export const completeList = (item: string) => listOf(item, 'Always false.')

function listOf(item: string, description: string) {
  return Type.Object({
    object: Type.Literal('list'),
    data: Type.Array(Type.Ref(item)),
    has_more: Type.Boolean({ description, examples: [false] }),
  })
}

/** An optional query parameter with a date or a time. */
export const timestampOf = (description: string) =>
  Type.Optional(Type.String({ format: 'timestamp', description }))
