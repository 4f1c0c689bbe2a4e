import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../../src/primitives/ids.ts'
import { startFlorin } from '../../support/florin.ts'
import { credentials } from '../../support/people.ts'
import { queryWithoutTimeout } from '../../support/without-timeout.ts'

const florin = await startFlorin()
const owner = await florin.people.owner()
const people = [owner]
for (let n = 0; n < 4; n++) {
  people.push({ ...(await florin.people.member(owner)), account_id: owner.account_id })
}
const newest_first = people.map(({ id }) => id).reverse()
const stranger = await florin.people.owner()

async function page(query: string, token = owner.token) {
  const { status, body } = await florin.call('GET', `/v1/account/users${query}`, { token })
  assert.equal(status, 200)
  assert.equal(body.object, 'list')
  return [body.data.map(({ id }: { id: string }) => id), body.has_more]
}

test('lists the users of an account newest first, for the owner and for members', async () => {
  for (const { token } of people) assert.deepEqual(await page('', token), [newest_first, false])
  assert.deepEqual(await page('', stranger.token), [[stranger.id], false])
})

test('paginates with cursors in both directions', async () => {
  const [a, b, c, d, e] = newest_first
  assert.deepEqual(await page('?limit=2'), [[a, b], true])
  assert.deepEqual(await page(`?limit=2&starting_after=${b}`), [[c, d], true])
  assert.deepEqual(await page(`?limit=2&starting_after=${d}`), [[e], false])
  assert.deepEqual(await page(`?starting_after=${e}`), [[], false])
  assert.deepEqual(await page(`?limit=2&ending_before=${d}`), [[b, c], true])
  assert.deepEqual(await page(`?limit=2&ending_before=${c}`), [[a, b], false])
  assert.deepEqual(await page(`?ending_before=${a}`), [[], false])
  assert.deepEqual(await page('?limit=5'), [newest_first, false])
  assert.deepEqual(await page('?limit=1000'), [newest_first, false])
})

test('returns the same 400 for an unknown, a foreign and a deleted cursor', async () => {
  const deleted = await florin.people.member(owner)
  const { token } = owner
  assert.equal((await florin.call('DELETE', `/v1/users/${deleted.id}`, { token })).status, 200)
  const bodies = new Set<string>()
  for (const id of [stranger.id, deleted.id, 'usr_01h455vb4pex5vsknk084sn02q', 'x', '']) {
    const path = `/v1/account/users?starting_after=${id}`
    const { status, text } = await florin.call('GET', path, { token })
    assert.equal(status, 400, id)
    bodies.add(text.replace(/; got \\".*\\"/, ''))
  }
  assert.equal(bodies.size, 1)
  const both = `?starting_after=${newest_first[0]}&ending_before=${newest_first[4]}`
  const { status } = await florin.call('GET', `/v1/account/users${both}`, { token })
  assert.equal(status, 400)
})

test('an account can have at most 1,000 users', async () => {
  const large = await florin.people.owner()
  const { token } = large
  const add = () => {
    const body = credentials('one-more')
    return florin.call('POST', '/v1/users', { token, body })
  }
  const id = findUuid('account', large.account_id)
  // Incomplete rows, sufficient for the count. They are deleted at the end of this test.
  await queryWithoutTimeout(
    florin.db.pool,
    `insert into users (id, account_id, role, status, email, email_canonical, password_hash,
       search, updated_at)
     select ('01800000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'member', 'active',
       '', '', 'test-only', '', now()
     from generate_series(1, 998) as n`,
    [id],
  )
  try {
    assert.equal((await add()).status, 201)
    const rejected = await add()
    assert.deepEqual([rejected.status, rejected.body.error], [400, 'invalid_request'])
    assert.match(rejected.body.message, /at most 1000 users/)
  } finally {
    await florin.db.pool.query(`delete from users where password_hash = 'test-only'`)
  }
})
