// Lists of an account are ordered by id, and clients follow them by id. When another machine's
// clock was ahead, an object created later still gets a greater id.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  findUuid,
  firstUuidAt,
  type IdKind,
  newRealTimeUuid,
  toTypeId,
} from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import { credentials } from '../support/people.ts'

const florin = await startFlorin()

interface Kind {
  kind: IdKind
  table: string
  create_path: string
  list_path: string
  body: () => unknown
}

const kinds: Kind[] = [
  {
    kind: 'user',
    table: 'users',
    create_path: '/v1/users',
    list_path: '/v1/account/users',
    body: () => credentials('member'),
  },
  {
    kind: 'api_key',
    table: 'api_keys',
    create_path: '/v1/api_keys',
    list_path: '/v1/api_keys',
    body: () => ({ name: 'Till', scopes: ['balance:read'] }),
  },
  {
    kind: 'webhook_endpoint',
    table: 'webhook_endpoints',
    create_path: '/v1/webhook_endpoints',
    list_path: '/v1/webhook_endpoints',
    body: () => ({ url: 'https://example.com/hook', events: ['*'] }),
  },
]

test('created_at matches the id while ids are ahead of the clock', async () => {
  const { token } = await florin.people.owner()
  newRealTimeUuid(Date.now() + 500)
  const { create_path, body } = kinds.at(-1)!
  const made = await florin.call('POST', create_path, { token, body: body() })
  assert.equal(made.body.updated_at, made.body.created_at)
})

for (const { kind, table, create_path, list_path, body } of kinds) {
  test(`following ${table} by id misses none after a clock was ahead`, async () => {
    const { token } = await florin.people.owner()
    const make = async () =>
      (await florin.call('POST', create_path, { token, body: body() })).body.id
    const first = await make()
    const ahead = firstUuidAt(Date.now() + 60_000)
    const values = [findUuid(kind, first), ahead]
    for (const [named_in, column] of [
      [table, 'id'],
      ['email_claims', 'user_id'],
      ['tokens', 'principal_id'],
    ]) {
      const move = `update ${named_in} set ${column} = $2 where ${column} = $1`
      await florin.db.pool.query(move, values)
    }
    const made = [await make(), await make()]
    const path = `${list_path}?ending_before=${toTypeId(kind, ahead)}`
    const response = await florin.call('GET', path, { token })
    assert.equal(response.status, 200, response.text)
    const seen = response.body.data.map(({ id }: { id: string }) => id)
    assert.deepEqual(seen, made.toReversed())
  })
}
