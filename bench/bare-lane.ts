// Upper bound for a write: a bare server passes each body straight to its lane. No framework, no
// token, no schema, no metrics, no log. No Florin route can be faster, so the difference to a
// route's figure is what those layers cost.

import { createServer } from 'node:http'
import type { CommandResult } from '../src/lanes/lane-entry.ts'
import type * as payments from '../src/payments/commands.ts'
import { PaymentLanes } from '../src/payments/lanes.ts'
import { createdJson } from '../src/payments/payment.ts'
import { openDatabase } from '../src/postgres/database.ts'
import { findUuid } from '../src/primitives/ids.ts'
import { newSecret } from '../src/primitives/secrets.ts'
import type * as transactions from '../src/transactions/commands.ts'
import { TransactionLanes } from '../src/transactions/lanes.ts'
import { metadataText } from '../src/transactions/metadata.ts'
import { listedJson } from '../src/transactions/transaction.ts'

const db = openDatabase(JSON.parse(process.argv[2]!))
const public_url = 'http://127.0.0.1'
const lanes = new TransactionLanes(db)
const payment_lanes = new PaymentLanes(db, public_url)

const unauthenticated = {
  token: undefined,
  key: undefined,
  background: false,
  isWanted: () => true,
}

function commonOf(input: transactions.CreateInput | payments.CreateInput) {
  return {
    kind: 'create' as const,
    account_id: findUuid('account', input.account_id)!,
    amount: input.amount,
    currency: input.currency,
    reference: input.reference ?? null,
    metadata: metadataText(input.metadata),
  }
}

function createTransaction(input: transactions.CreateInput): Promise<CommandResult> {
  const rest = { type: input.type, linked_id: undefined, settle_after_ms: 0 }
  const command = { ...commonOf(input), ...rest }
  const { account_id } = command
  return lanes.submit({ ...unauthenticated, command, account_id, status: 201, render: listedJson })
}

function createPayment(input: payments.CreateInput): Promise<CommandResult> {
  const rest = { customer_email: input.customer_email, token: newSecret('') }
  const command = { ...commonOf(input), ...rest }
  const { account_id } = command
  const render: Parameters<typeof payment_lanes.submit>[0]['render'] = (row) =>
    createdJson(row, public_url)
  return payment_lanes.submit({ ...unauthenticated, command, account_id, status: 201, render })
}

const server = createServer((request, response) => {
  const create = request.url === '/v1/payments' ? createPayment : createTransaction
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', async () => {
    const { body, status } = await create(JSON.parse(String(Buffer.concat(chunks))))
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    response.end(body)
  })
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(JSON.stringify({ port: typeof address === 'object' ? address?.port : undefined }))
})
