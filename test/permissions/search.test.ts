// Which callers find which objects. A kind of object is found by callers that may read it
// elsewhere; for all others the response is identical to that for an unknown id: an empty list.

import assert from 'node:assert/strict'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { BankFixtures, fileOf } from '../bank-statements/bank-fixtures.ts'
import { DisputeFixtures } from '../disputes/dispute-fixtures.ts'
import { makeKey } from '../identity/api-keys/keys.ts'
import { PayoutFixtures } from '../payouts/payout-fixtures.ts'
import { insertSettlement } from '../settlements/insert-settlement.ts'
import { startFlorin } from '../support/florin.ts'
import { TransferFixtures } from '../transfers/transfer-fixtures.ts'
import { Fixtures } from './fixtures.ts'
import { testGrid } from './grid.ts'

const florin = await startFlorin()
const fixtures = new Fixtures(florin)
const owner = await fixtures.owner('owner')
const { token, account_id } = owner

async function create(path: string, body: object): Promise<string> {
  const response = await florin.call('POST', path, { token, body })
  assert.equal(response.status, 201, response.text)
  return response.body.id
}

const payment_body = { amount: 100, currency: 'USD', customer_email: 'c@example.com' }
const txn = await create('/v1/transactions', {
  account_id,
  amount: 100,
  currency: 'USD',
  type: 'payment',
})
const pay = await create('/v1/payments', { account_id, ...payment_body })
const sub = await create('/v1/subscriptions', { ...payment_body, interval: 'month' })
const endpoint = { url: 'https://example.com/webhooks', events: ['*'] }
const we = await create('/v1/webhook_endpoints', endpoint)
const wd = await create(`/v1/webhook_endpoints/${we}/test`, {})
const key = (await makeKey(florin, { token }, ['*'])).id
const platform_creator = await fixtures.person('admin')
const { body: customers } = await florin.call('GET', '/v1/customers?limit=1', { token })
const cus = customers.data[0].id
const dsp = (await new DisputeFixtures(florin, platform_creator).dispute(owner)).id
const transfers = new TransferFixtures(florin, platform_creator)
await transfers.fund({ ...owner, uuid: '' }, 100)
const tr = (await transfers.transfer({ ...owner, uuid: '' }, await transfers.shop(), 10)).id
const payouts = new PayoutFixtures(florin, platform_creator)
await payouts.setDestination(owner)
const po = (await payouts.created(owner, 10)).id
const stl = await insertSettlement(florin.db)
const bank = new BankFixtures(florin, platform_creator)
await bank.import(fileOf([{ signed: -990, text: 'Rent' }]))
const bank_page = await florin.call('GET', '/v1/bank_entries', { token: platform_creator.token })
const bse = bank_page.body.data[0].id
const platform_key = (await makeKey(florin, platform_creator, ['*'], { role: 'platform' })).id
const { body: events } = await florin.call('GET', '/v1/events?limit=1', { token })
const evt = events.data[0].id

const ids: Record<string, () => Promise<string>> = {
  txn: async () => txn,
  pay: async () => pay,
  sub: async () => sub,
  dsp: async () => dsp,
  tr: async () => tr,
  po: async () => po,
  bse: async () => bse,
  stl: async () => stl,
  cus: async () => cus,
  acct: async () => account_id,
  owner: async () => owner.id,
  member: async () => (await fixtures.person('member')).id,
  lone: async () => (await fixtures.person('lone')).id,
  evt: async () => evt,
  we: async () => we,
  wd: async () => wd,
  key: async () => key,
  pkey: async () => platform_key,
  email: async () => owner.email.toUpperCase(),
  unknown: async () => toTypeId('transaction', newUuid(Date.now())),
  text: async () => 'Invoice 2026-114',
}

const kinds: Record<string, string> = {
  txn: 'transaction',
  pay: 'payment',
  sub: 'subscription',
  dsp: 'dispute',
  tr: 'transfer',
  po: 'payout',
  bse: 'bank_entry',
  stl: 'settlement',
  cus: 'customer',
  acct: 'account',
  owner: 'user',
  member: 'user',
  lone: 'user',
  evt: 'event',
  we: 'webhook_endpoint',
  wd: 'webhook_delivery',
  key: 'api_key',
  pkey: 'api_key',
  email: 'user',
}

const without_account = ['lone', 'pkey', 'bse', 'stl']

/** `some` finds the object, `-` nothing; other cells are those of every grid. */
function testSearch(endpoint: string, headers: Record<string, string>, grid: string): void {
  const lines = grid
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  const columns = lines[0]!
  const cellOf = (caller: string, object: string) =>
    lines.find(([name]) => name === caller)?.[columns.indexOf(object) + 1]
  testGrid(florin, fixtures, {
    endpoint,
    requests: async (_: Fixtures, object: string) => [
      { method: 'GET', path: `/v1/search?q=${encodeURIComponent(await ids[object]!())}`, headers },
    ],
    check: async (response, { caller, object }) => {
      const id = object === 'email' ? owner.id : await ids[object]!()
      const found = response.body.data.filter((one: { id: string }) => one.id === id)
      if (cellOf(caller, object) === '-') return assert.deepEqual(found, [])
      assert.equal(found.length, 1, response.text)
      const [{ kind, account_id: found_account }] = found
      assert.equal(kind, kinds[object])
      const known_account = object === 'email' ? null : account_id
      const expected = without_account.includes(object) ? null : known_account
      assert.equal(found_account, expected)
    },
    grid: grid.replaceAll(/\bsome\b|(?<=\s)-(?=\s|$)/g, 'ok'),
  })
}

testSearch(
  'GET /v1/search',
  {},
  `
         txn  pay  sub  dsp  cus  acct owner member lone evt  we   wd   key  pkey email unknown text
dead     dead
member   some some some some some some -     some   -    some -    -    -    -    -     -       -
viewer   some some some some some some -     -      -    some -    -    -    -    -     -       -
owner    some some some some some some some  some   -    some some some some -    -     -       -
owner2   -    -    -    -    -    -    -     -      -    -    -    -    -    -    -     -       -
lone     -    -    -    -    -    -    -     -      some -    -    -    -    -    -     -       -
platform some some some some some some some  some   some -    -    -    -    -    some  -       -
admin    some some some some some some some  some   some -    some some some some some  -       -
key:*    scope
key2:*   scope
platform_key:* scope`,
)

testSearch(
  'GET /v1/search',
  {},
  `
         tr   po   bse  stl
dead     dead
member   some some -    -
viewer   some some -    -
owner    some some -    -
owner2   -    -    -    -
lone     -    -    -    -
platform some some some some
admin    some some some some
key:*    scope
key2:*   scope
platform_key:* scope`,
)

testSearch(
  'GET /v1/search with Florin-Account',
  { 'florin-account': account_id },
  `
         txn  evt  we   lone email
owner    some some some -    -
platform some some -    some some
admin    some some some some some`,
)
