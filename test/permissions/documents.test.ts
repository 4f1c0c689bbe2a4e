// Every combination of caller and object at the endpoints of receipts and credit notes. The
// expected results are written by hand, independently of the code. owner and member share an
// account; owner2 has another one. Responses for foreign, unknown and malformed ids are identical.

import assert from 'node:assert/strict'
import type { Document } from '../../src/documents/document.ts'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { PaymentFixtures } from '../payments/payment-fixtures.ts'
import { startFlorin } from '../support/florin.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'
import { Fixtures } from './fixtures.ts'
import { testGrid } from './grid.ts'
import { keysOf } from './shapes.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = new Fixtures(florin)
const admin = await fixtures.person('admin')
const payments = new PaymentFixtures(florin, admin)
const shops = { own: await fixtures.owner('owner'), other: await fixtures.owner('owner2') }

/** A refunded payment request, the refund, and the credit note. */
interface Refunded {
  pay: string
  txn: string
  doc: string
}

async function refunded(shop: Shop): Promise<Refunded> {
  const pay = await payments.request(shop)
  await payments.settlePayment(pay)
  const { transaction_id } = (await payments.getPayment(admin, pay)).body
  const { id: txn } = (await payments.refund(shop, 10, transaction_id)).body
  await payments.settle(txn)
  const path = `/v1/transactions/${txn}/credit_note`
  const { id: doc } = (await florin.call('GET', path, { token: admin.token })).body
  return { pay, txn, doc }
}

const of_account = {
  own: await refunded(shops.own as Shop),
  other: await refunded(shops.other as Shop),
}

const kinds = { pay: 'payment', txn: 'transaction', doc: 'document' } as const
type Prefix = keyof typeof kinds

async function idsOf(object: string, prefix: Prefix): Promise<string[]> {
  if (object === 'unknown') return [toTypeId(kinds[prefix], newUuid(Date.now()))]
  if (object !== 'badid') return [of_account[object === 'other' ? 'other' : 'own'][prefix]]
  const users = await fixtures.userIds('badid')
  return users.map((id) => id.replace(/^usr/, prefix).replace(/^USR/, prefix.toUpperCase()))
}

// `elsewhere` is an object of the own account, sent with the header of the other.
const about =
  (prefix: Prefix, path: (id: string) => string) => async (_: Fixtures, object: string) => {
    const headers: Record<string, string> =
      object === 'elsewhere' ? { 'florin-account': shops.other.account_id } : {}
    return (await idsOf(object, prefix)).map((id) => ({ method: 'GET', path: path(id), headers }))
  }

const keys = [
  'account_id',
  'amount',
  'created_at',
  'currency',
  'customer_email',
  'id',
  'number',
  'payment_id',
  'receipt_number',
  'reference',
  'transaction_id',
  'type',
] satisfies (keyof Document)[]

const by_id = `
         own   other elsewhere unknown badid
dead     dead
member   ok    none  nohead    none    none
viewer   ok    none  nohead    none    none
owner    ok    none  nohead    none    none
owner2   none  ok    none      none    none
lone     none  none  nohead    none    none
platform ok    ok    none      none    none
admin    ok    ok    none      none    none
key:*    ok    none  nohead    none    none
key2:*   none  ok    none      none    none
platform_key:* ok ok none      none    none`

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/payments/{payment_id}/receipt',
  requests: about('pay', (id) => `/v1/payments/${id}/receipt`),
  check: (response) => assert.deepEqual(keysOf(response), keys),
  grid: by_id,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/transactions/{transaction_id}/credit_note',
  requests: about('txn', (id) => `/v1/transactions/${id}/credit_note`),
  check: (response) => assert.deepEqual(keysOf(response), keys),
  grid: by_id,
})

const byAccount = (path: string) => async (inside: Fixtures, object: string) =>
  (await inside.accountIds(object)).map((account_id) => ({
    method: 'GET',
    path,
    headers: (account_id === undefined ? {} : { 'florin-account': account_id }) as Record<
      string,
      string
    >,
  }))

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/documents',
  requests: byAccount('/v1/documents'),
  check: (response) => {
    assert.deepEqual(Object.keys(response.body), ['object', 'data', 'has_more'])
    for (const one of response.body.data) assert.deepEqual(Object.keys(one).sort(), keys)
  },
  grid: `
         nothing own   other  suspended closed unknown badid
dead     dead
member   ok      ok    nohead nohead    nohead nohead  nohead
viewer   ok      ok    nohead nohead    nohead nohead  nohead
owner    ok      ok    nohead nohead    nohead nohead  nohead
owner2   ok      nohead ok    nohead    nohead nohead  nohead
lone     forb
platform forb    ok    ok     ok        ok     none    none
admin    forb    ok    ok     ok        ok     none    none
key:*    ok      ok    nohead nohead    nohead nohead  nohead
key2:*   ok      nohead ok    nohead    nohead nohead  nohead
platform_key:* forb ok ok     ok        ok     none    none`,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/documents/{document_id}',
  requests: async (_, object) => {
    const account = object === 'other' || object === 'elsewhere' ? 'other' : 'own'
    const headers = { 'florin-account': shops[account].account_id }
    const ids = await idsOf(object, 'doc')
    return ids.map((id) => ({ method: 'GET', path: `/v1/documents/${id}`, headers }))
  },
  check: (response) => assert.deepEqual(keysOf(response), keys),
  grid: `
         own    other  elsewhere unknown badid
dead     dead
member   ok     nohead nohead    none    none
viewer   ok     nohead nohead    none    none
owner    ok     nohead nohead    none    none
owner2   nohead ok     none      nohead  nohead
lone     forb
platform ok     ok     none      none    none
admin    ok     ok     none      none    none
key:*    ok     nohead nohead    none    none
key2:*   nohead ok     none      nohead  nohead
platform_key:* ok ok   none      none    none`,
})
