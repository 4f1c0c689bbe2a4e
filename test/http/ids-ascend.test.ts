// What an account has is listed by id, and followed by it. Another machine's clock may be ahead:
// what is made here after that has the later id all the same.

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
  made_at: string
  listed_at: string
  body: () => unknown
}

const kinds: Kind[] = [
  {
    kind: 'user',
    table: 'users',
    made_at: '/v1/users',
    listed_at: '/v1/account/users',
    body: () => credentials('member'),
  },
  {
    kind: 'api_key',
    table: 'api_keys',
    made_at: '/v1/api_keys',
    listed_at: '/v1/api_keys',
    body: () => ({ name: 'Till', scopes: ['balance:read'] }),
  },
  {
    kind: 'webhook_endpoint',
    table: 'webhook_endpoints',
    made_at: '/v1/webhook_endpoints',
    listed_at: '/v1/webhook_endpoints',
    body: () => ({ url: 'https://example.com/hook', events: ['*'] }),
  },
]

test('an endpoint is as old as its id says, though ids are ahead of the clock', async () => {
  const { token } = await florin.people.owner()
  newRealTimeUuid(Date.now() + 500)
  const { made_at, body } = kinds.at(-1)!
  const made = await florin.call('POST', made_at, { token, body: body() })
  assert.equal(made.body.updated_at, made.body.created_at)
})

for (const { kind, table, made_at, listed_at, body } of kinds) {
  test(`who follows ${table} misses none, though a clock was ahead`, async () => {
    const { token } = await florin.people.owner()
    const make = async () => (await florin.call('POST', made_at, { token, body: body() })).body.id
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
    const path = `${listed_at}?ending_before=${toTypeId(kind, ahead)}`
    const response = await florin.call('GET', path, { token })
    assert.equal(response.status, 200, response.text)
    const seen = response.body.data.map(({ id }: { id: string }) => id)
    assert.deepEqual(seen, made.toReversed())
  })
}
