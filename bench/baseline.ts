// The baseline: a straightforward implementation of POST /v1/transactions. It has Florin's checks,
// tables and responses, on Fastify, with one database transaction per request and one awaited
// statement at a time. It uses the same database, so both are compared in one run.

import Fastify from 'fastify'
import pg from 'pg'
import { Type } from 'typebox'
import { fields, oneOf, strictObject } from '../src/http/schemas/resources.ts'
import { validatorCompiler } from '../src/http/validation.ts'
import { findUuid, newUuid } from '../src/primitives/ids.ts'
import { sha256 } from '../src/primitives/secrets.ts'
import { metadataText } from '../src/transactions/metadata.ts'
import { listedJson, type TransactionRow, wholeJson } from '../src/transactions/transaction.ts'

const pool = new pg.Pool({ ...JSON.parse(process.argv[2]!), max: 10 })
const app = Fastify({ logger: false })
app.setValidatorCompiler(validatorCompiler)

interface Input {
  account_id: string
  amount: number
  currency: string
  type: 'payment'
  reference?: string
  metadata?: Record<string, unknown>
}

const schema = {
  body: strictObject({
    account_id: Type.String(),
    amount: fields.amount,
    currency: fields.currency,
    type: oneOf(['payment']),
    reference: Type.Optional(Type.String({ maxLength: 255 })),
    metadata: Type.Optional(Type.Object({}, { additionalProperties: true })),
  }),
}

app.post('/v1/transactions', { schema }, async (request, reply) => {
  const token_hash = sha256(String(request.headers.authorization).slice('Bearer '.length))
  const input = request.body as Input
  const account_id = findUuid('account', input.account_id)
  const client = await pool.connect()
  try {
    await client.query('begin')
    const row = await create(client, token_hash, account_id!, input)
    await client.query('commit')
    return reply.code(201).type('application/json').serializer(String).send(listedJson(row))
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
})

async function create(
  client: pg.PoolClient,
  token_hash: Buffer,
  account_id: string,
  input: Input,
): Promise<TransactionRow> {
  const token = await query(
    client,
    'token',
    `select sessions.account_id from tokens join sessions on sessions.id = principal_id
    where token_hash = $1 and expires_at > now()`,
    [token_hash],
  )
  if (token.account_id !== account_id) throw new Error('unauthorized')
  const balance = await query(
    client,
    'lock',
    `select * from balances
    where account_id = $1 for update`,
    [account_id],
  )
  if (balance.status !== 'active' || balance.currency !== input.currency) throw new Error('refused')
  const at = new Date()
  const row: TransactionRow = {
    account_id,
    id: newUuid(at.getTime()),
    status: 'pending',
    amount: input.amount,
    currency: input.currency,
    type: input.type,
    refund_of: null,
    due_at: new Date(at.getTime() + 30_000),
    updated_at: at,
    reference: input.reference ?? null,
    metadata: metadataText(input.metadata),
  }
  await query(
    client,
    'insert',
    `insert into transactions (account_id, id, status, amount, currency,
    type, due_at, updated_at, reference, metadata)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      account_id,
      row.id,
      row.status,
      row.amount,
      row.currency,
      row.type,
      row.due_at,
      row.updated_at,
      row.reference,
      row.metadata,
    ],
  )
  await query(
    client,
    'posting',
    `insert into postings (account_id, sequence, transaction_id, movement,
    amount, available_after, at) values ($1, $2, $3, 'arrive', $4, $5, $6)`,
    [account_id, Number(balance.posting_sequence) + 1, row.id, row.amount, balance.available, at],
  )
  await query(
    client,
    'event',
    `insert into events (account_id, sequence, id, type, object_id, at, data)
    values ($1, $2, $3, 'transaction.created', $4, $5, $6)`,
    [
      account_id,
      Number(balance.event_sequence) + 1,
      newUuid(at.getTime()),
      row.id,
      at,
      wholeJson(row),
    ],
  )
  await query(
    client,
    'balance',
    `update balances set incoming = incoming + $2,
    posting_sequence = posting_sequence + 1, event_sequence = event_sequence + 1,
    last_transaction_id = $3, last_at = $4 where account_id = $1`,
    [account_id, row.amount, row.id, at],
  )
  return row
}

async function query(
  client: pg.PoolClient,
  name: string,
  text: string,
  values: unknown[],
): Promise<Record<string, string>> {
  return (await client.query({ name, text, values })).rows[0] ?? {}
}

await app.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ url: app.listeningOrigin }))
