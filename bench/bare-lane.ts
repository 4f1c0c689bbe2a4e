// What the lanes and the database could do if nothing stood before them: the echo's own server, and
// each body straight into the lane. No framework, no token, no schema, no metrics, no log. No route
// of Florin's can be faster than this, so it shows how much of a mark is left for all of those.

import { createServer } from 'node:http'
import { openDatabase } from '../src/postgres/database.ts'
import { findUuid } from '../src/primitives/ids.ts'
import type { CreateInput } from '../src/transactions/commands.ts'
import type { CreateCommand } from '../src/transactions/decide.ts'
import { TransactionLanes } from '../src/transactions/lanes.ts'
import { metadataText } from '../src/transactions/metadata.ts'
import type { Done } from '../src/transactions/run-batch.ts'
import { listedJson } from '../src/transactions/transaction.ts'

const lanes = new TransactionLanes(openDatabase(JSON.parse(process.argv[2]!)))

const server = createServer((request, response) => {
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

function create(input: CreateInput): Promise<Done> {
  const account_id = findUuid('account', input.account_id)!
  const command: CreateCommand = {
    kind: 'create',
    account_id,
    amount: input.amount,
    currency: input.currency,
    type: input.type,
    reference: input.reference ?? null,
    metadata: metadataText(input.metadata),
    linked_id: undefined,
    settle_after_ms: 0,
  }
  const nobody = { token: undefined, key: undefined, background: false, isWanted: () => true }
  return lanes.submit({ ...nobody, command, account_id, status: 201, render: listedJson })
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(JSON.stringify({ port: typeof address === 'object' ? address?.port : undefined }))
})
