import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'

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

test("an account's people are listed newest first, for each of them alike", async () => {
  for (const { token } of people) assert.deepEqual(await page('', token), [newest_first, false])
  assert.deepEqual(await page('', stranger.token), [[stranger.id], false])
})

test('the list is walked by cursors in both directions', async () => {
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

test('a cursor that is unknown, foreign or not alone is 400, all alike', async () => {
  const deleted = await florin.people.member(owner)
  const { token } = owner
  assert.equal((await florin.call('DELETE', `/v1/users/${deleted.id}`, { token })).status, 200)
  const told = new Set<string>()
  for (const id of [stranger.id, deleted.id, 'usr_01h455vb4pex5vsknk084sn02q', 'x', '']) {
    const path = `/v1/account/users?starting_after=${id}`
    const { status, text } = await florin.call('GET', path, { token })
    assert.equal(status, 400, id)
    told.add(text.replace(/; \\".*\\" came/, ''))
  }
  assert.equal(told.size, 1)
  const both = `?starting_after=${newest_first[0]}&ending_before=${newest_first[4]}`
  const { status } = await florin.call('GET', `/v1/account/users${both}`, { token })
  assert.equal(status, 400)
})
