// Every combination of caller and account, and of caller and invitation, at the invitations of an
// account.

import assert from 'node:assert/strict'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import { credentials, type Owner } from '../support/people.ts'
import { Fixtures } from './fixtures.ts'
import { type Request, testGrid } from './grid.ts'
import { keysOf } from './shapes.ts'

const florin = await startFlorin()
const fixtures = new Fixtures(florin)
const own = await fixtures.owner('owner')
const other = await fixtures.owner('owner2')
const path = '/v1/account/invitations'
const fields = ['created_at', 'email', 'expires_at', 'id', 'invited_by', 'role']
const invitation = () => ({ email: credentials('invited').email, role: 'viewer' })

const forAccount =
  (method: string, bodyOf?: () => unknown) =>
  async (inside: Fixtures, object: string): Promise<Request[]> => {
    const ids = await inside.accountIds(object)
    return ids.map((id) => ({
      method,
      path,
      body: bodyOf?.(),
      headers: id === undefined ? {} : { 'florin-account': id },
    }))
  }

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/account/invitations',
  requests: forAccount('POST', invitation),
  success_status: 201,
  check: (response) => assert.deepEqual(keysOf(response), fields),
  grid: `
               nothing own   other suspended closed unknown badid
dead           dead
member         scope
viewer         scope
owner          ok      ok    none  none      none   none    none
owner2         ok      none  ok    none      none   none    none
lone           forb
platform       scope
admin          forb    ok    ok    bad       none   none    none
key:*          scope
key2:*         scope
platform_key:* scope`,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/account/invitations',
  requests: forAccount('GET'),
  check: (response) => {
    assert.deepEqual(keysOf(response), ['data', 'has_more', 'object'])
    for (const one of response.body.data) assert.deepEqual(Object.keys(one).sort(), fields)
  },
  grid: `
               nothing own   other closed unknown badid
dead           dead
member         scope
viewer         scope
owner          ok      ok    none  none   none    none
owner2         ok      none  ok    none   none    none
lone           forb
platform       scope
admin          forb    ok    ok    ok     none    none
key:*          scope
key2:*         scope
platform_key:* scope`,
})

async function invite({ token }: Owner): Promise<string> {
  const response = await florin.call('POST', path, { token, body: invitation() })
  assert.equal(response.status, 201, response.text)
  return response.body.id
}

async function invitationIds(object: string): Promise<string[]> {
  switch (object) {
    case 'own':
    case 'named':
    case 'elsewhere':
      return [await invite(own)]
    case 'revoked': {
      const id = await invite(own)
      await florin.call('DELETE', `${path}/${id}`, { token: own.token })
      return [id]
    }
    case 'other':
      return [await invite(other)]
    case 'unknown':
      return [toTypeId('invitation', newUuid(Date.now()))]
    default: {
      const users = await fixtures.userIds('badid')
      return users.map((id) => id.replace(/^usr/, 'inv').replace(/^USR/, 'INV'))
    }
  }
}

const headerOf: Record<string, string> = { named: own.account_id, elsewhere: other.account_id }

// `named` is an invitation of the own account with that account's header.
testGrid(florin, fixtures, {
  endpoint: 'DELETE /v1/account/invitations/{invitation_id}',
  requests: async (_, object) =>
    (await invitationIds(object)).map((id) => ({
      method: 'DELETE',
      path: `${path}/${id}`,
      headers: headerOf[object] === undefined ? {} : { 'florin-account': headerOf[object] },
    })),
  check: (response) => assert.deepEqual(keysOf(response), ['id', 'message']),
  grid: `
               own   named  other elsewhere revoked unknown badid
dead           dead
member         scope
viewer         scope
owner          ok    ok     none  nohead    none    none    none
owner2         none  nohead ok    none      none    none    none
lone           forb
platform       scope
admin          forb  ok     forb  none      forb    forb    forb
key:*          scope
key2:*         scope
platform_key:* scope`,
})
