import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { getActingBalance } from '../../accounts/get-account.ts'
import { findCustomers } from '../../payments/transaction-details.ts'
import { findPayoutCauses } from '../../payouts/find-payout.ts'
import { journal } from '../../transactions/journal.ts'
import { type JournalFormat, journalFormats } from '../../transactions/journal-formats.ts'
import {
  type FindOtherCauses,
  listStatement,
  type StatementQuery,
  statementCsv,
} from '../../transactions/list-statement.ts'
import { findTransferCauses } from '../../transfers/find-transfers.ts'
import { route } from '../route.ts'
import { cursorList, cursorQuery, oneOf, timestampOf } from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'

const tags = ['Balance']

const csvExample =
  'sequence,created_at,created_at_local,transaction_id,type,status,reference,customer_email,' +
  'currency,amount,available_after\r\n' +
  '2,2026-11-15T09:30:00.000Z,2026-11-15T10:30:00.000+01:00,txn_01h455vb4pex5vsknk084sn02q,' +
  'payment,succeeded,Invoice 2026-114,customer@example.com,USD,75.00,75.00\r\n'

// The list as JSON, or the same lines as a CSV file.
const statement = {
  content: {
    'application/json': { schema: cursorList('StatementLine') },
    'text/csv': { schema: Type.String({ examples: [csvExample] }) },
  },
} as unknown as TSchema

const statementQuery = Type.Object({
  limit: cursorQuery.limit,
  starting_after: Type.Optional(
    Type.String({
      description: 'A cursor: a sequence number. Returns the lines after it, going back in time.',
      'x-documented': { pattern: '^[0-9]{1,16}$' },
    }),
  ),
  ending_before: Type.Optional(
    Type.String({
      description: 'A cursor: a sequence number. Returns the lines before it, which are newer.',
      'x-documented': { pattern: '^[0-9]{1,16}$' },
    }),
  ),
  from: timestampOf('Only lines at or after this time.'),
  to: timestampOf('Only lines at or before this time.'),
  format: Type.Optional(
    oneOf(['json', 'csv'], {
      description:
        'csv returns a file with all matching lines, regardless of limit. Amounts are decimal. ' +
        'Times are in UTC and in the time zone of the account. customer_email is empty for an ' +
        'API key without the scope payments:read.',
    }),
  ),
})

/** Of postings without a transaction. */
const findOthers: FindOtherCauses = async (db, account_id, ids) =>
  new Map([
    ...(await findPayoutCauses(db, account_id, ids)),
    ...(await findTransferCauses(db, account_id, ids)),
  ])

const find = { findCustomers, findOthers }

export const getBalanceRoute = route({
  method: 'GET',
  url: '/v1/account/balance',
  access: { token: 'required', operation: 'read_balance' },
  schema: {
    tags,
    operationId: 'getBalance',
    summary: 'Retrieve the balance',
    description:
      'Returns the balance of the account: available for refunds, incoming from pending ' +
      'payments and credits, held for pending refunds and open payouts, and owed after fees or ' +
      'disputes that it did not cover.',
  },
  success: [200, 'The balance.', Type.Ref('Balance')],
  refusals: [refused.noToken, refused.noAccount, refused.hiddenAccount],
  handler: ({ caller }, { findBalance }) => getActingBalance(findBalance, caller),
})

export const getStatementRoute = route({
  method: 'GET',
  url: '/v1/account/statement',
  access: { token: 'required', operation: 'read_balance' },
  schema: {
    tags,
    operationId: 'getStatement',
    summary: 'List statement lines',
    description:
      'Returns one line per change of the available balance, newest first, with the ' +
      'resulting balance. Lines never change, except that status and reference are the ' +
      'current ones of the transaction.',
    querystring: statementQuery,
  },
  success: [200, 'A page of lines, or a CSV file.', statement],
  refusals: [refused.badCursor, refused.noToken, refused.noAccount, refused.hiddenAccount],
  handler: async (request, { db }, reply) => {
    const { caller } = request
    const { format, ...query } = request.query
    if (format !== 'csv') return listStatement(db, caller, query, find.findOthers)
    const file = { type: 'text/csv', name: fileName('statement', query, 'csv') }
    return sendFile(reply, file, statementCsv(db, caller, query, find))
  },
})

const journalExample =
  '2026-11-15 * "customer@example.com" "Payment settled: Invoice 2026-114" ' +
  '^txn_01h455vb4pex5vsknk084sn02q\n' +
  '  Assets:Florin:Available  75.00 USD\n  Assets:Florin:Incoming  -75.00 USD\n'

const journalCsvExample =
  'sequence,date,created_at,transaction_id,type,movement,reference,customer_email,debit_account,' +
  'credit_account,currency,amount,available_after\r\n' +
  '2,2026-11-15,2026-11-15T09:30:00.000Z,txn_01h455vb4pex5vsknk084sn02q,payment,settle,' +
  'Invoice 2026-114,customer@example.com,Assets:Florin:Available,Assets:Florin:Incoming,' +
  'USD,75.00,75.00\r\n'

const journalFile = {
  content: {
    'text/plain': { schema: Type.String({ examples: [journalExample] }) },
    'text/csv': { schema: Type.String({ examples: [journalCsvExample] }) },
  },
} as unknown as TSchema

const journalFiles: Record<JournalFormat, { type: string; extension: string }> = {
  beancount: { type: 'text/plain', extension: 'beancount' },
  hledger: { type: 'text/plain', extension: 'journal' },
  csv: { type: 'text/csv', extension: 'csv' },
}

export const getJournalRoute = route({
  method: 'GET',
  url: '/v1/account/journal',
  access: { token: 'required', operation: 'read_balance' },
  schema: {
    tags,
    operationId: 'getJournal',
    summary: 'Export a journal for accounting tools',
    description:
      'Returns every posting of a period as a file, oldest first, with one account for each part ' +
      'of the balance and for each source of money. Files for beancount and hledger repeat the ' +
      'stored balances as assertions, so these tools check that the postings add up. Dates are ' +
      'in the time zone of the account. customer_email is left out for an API key without the ' +
      'scope payments:read.',
    querystring: Type.Object({
      format: oneOf(journalFormats, {
        description: 'beancount, hledger, or a CSV file with one line for each posting.',
      }),
      from: timestampOf('Only postings at or after this time. Earlier ones become a balance.'),
      to: timestampOf('Only postings at or before this time.'),
    }),
  },
  success: [200, 'The journal.', journalFile],
  refusals: [refused.badParameter, refused.noToken, refused.noAccount, refused.hiddenAccount],
  handler: async ({ caller, query }, { db }, reply) => {
    const { type, extension } = journalFiles[query.format]
    const file = { type, name: fileName('journal', query, extension) }
    return sendFile(reply, file, journal(db, caller, query, find))
  },
})

export const balanceRoutes = [getBalanceRoute, getStatementRoute, getJournalRoute]

/** Waits for the first chunk before sending headers, so that an error is still sent as JSON. */
async function sendFile(
  reply: FastifyReply,
  { type, name }: { type: string; name: string },
  chunks: AsyncGenerator<string, void>,
): Promise<FastifyReply> {
  const first = await chunks.next()
  // Fastify reads a stream to its end even for HEAD, which may be a million lines.
  if (reply.request.method === 'HEAD') await chunks.return()
  reply.type(`${type}; charset=utf-8`)
  reply.header('content-disposition', `attachment; filename="${name}"`)
  return reply.send(Readable.from(chain(first.value ?? '', chunks)))
}

async function* chain(first: string, rest: AsyncGenerator<string, void>): AsyncGenerator<string> {
  yield first
  yield* rest
}

/** Uses dates only, because some file systems do not allow colons in file names. */
function fileName(
  name: string,
  { from, to }: Pick<StatementQuery, 'from' | 'to'>,
  extension: string,
): string {
  const days = [from, to].flatMap((time) => (time === undefined ? [] : [time.slice(0, 10)]))
  return `${[name, ...days].join('-')}.${extension}`
}
