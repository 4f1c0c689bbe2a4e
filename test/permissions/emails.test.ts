// Which callers may read emails, which contain payment links and confirmation links.

import assert from 'node:assert/strict'
import { findUuid, newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { queueReceipt } from '../email/outbox.ts'
import { startFlorin } from '../support/florin.ts'
import { Fixtures } from './fixtures.ts'
import { testGrid } from './grid.ts'

const florin = await startFlorin()
const fixtures = new Fixtures(florin)
const [own, other] = [await fixtures.owner('owner'), await fixtures.owner('owner2')]
const admin = await florin.people.admin()

async function newEmailMessage(): Promise<string> {
  const { account_id } = await fixtures.owner('owner')
  await queueReceipt(florin.db, { account_id: findUuid('account', account_id)! })
  return (await florin.call('GET', '/v1/emails?limit=1', { token: admin.token })).body.data[0].id
}

/** Returns the id of an email that has been deleted after its retention period. */
async function deletedEmail(): Promise<string> {
  const id = await newEmailMessage()
  await florin.db.pool.query('delete from emails where id = $1', [findUuid('email', id)])
  return id
}

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/emails',
  requests: async (inside, object) =>
    (await inside.accountIds(object)).map((id) => ({
      method: 'GET',
      path: '/v1/emails',
      headers: id === undefined ? {} : { 'florin-account': id },
    })),
  check: (response) => assert.equal(response.body.object, 'list'),
  grid: `
         nothing own other closed unknown badid
dead     dead
member   scope
viewer   scope
owner    scope
owner2   scope
lone     scope
platform scope
admin    ok      ok  ok    ok     none    none
key:*    scope
key2:*   scope
platform_key:* scope`,
})

// `bare` is requested without a header, `elsewhere` with the header of an unrelated account.
const headerOf: Record<string, string> = {
  own: own.account_id,
  elsewhere: other.account_id,
  nowhere: toTypeId('account', newUuid(Date.now())),
}

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/emails/{id}',
  requests: async (_cast, object) => {
    const id = await newEmailMessage()
    const ids: Record<string, string[]> = {
      deleted: [await deletedEmail()],
      unknown: [toTypeId('email', newUuid(Date.now()))],
      badid: ['x', id.toUpperCase(), id.replace('eml', 'acct'), id.slice(0, -1), `${id}0`],
    }
    const account_id = headerOf[object]
    return (ids[object] ?? [id]).map((one) => ({
      method: 'GET',
      path: `/v1/emails/${one}`,
      headers: account_id === undefined ? {} : { 'florin-account': account_id },
    }))
  },
  check: (response) => assert.match(response.body.id, /^eml_/),
  grid: `
         bare own elsewhere nowhere deleted unknown badid
dead     dead
member   scope
viewer   scope
owner    scope
owner2   scope
lone     scope
platform scope
admin    ok   ok  none      nohead  none    none    none
key:*    scope
key2:*   scope
platform_key:* scope`,
})
