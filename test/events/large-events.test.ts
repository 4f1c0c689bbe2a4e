// Streams of events of the maximum size: the buffer of a subscriber is bounded.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { selectFollowing } from '../../src/events/queries.ts'
import { EventStreams } from '../../src/http/event-streams.ts'
import { callerFinder } from '../../src/identity/sessions/find-caller.ts'
import { findLive } from '../../src/identity/sessions/key-tokens.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import type { Owner } from '../support/people.ts'
import { until } from '../support/until.ts'
import { StreamReader } from './stream-reader.ts'

const florin = await startFlorin()
const { db } = florin
const large = Object.fromEntries(
  Array.from({ length: 20 }, (_, n) => [`key_${n}`, '€'.repeat(250)]),
)
const payments = 60

async function ownerOfLarge(): Promise<Owner> {
  const owner = await florin.people.owner()
  const { account_id, token } = owner
  const sale = { account_id, amount: 100, currency: 'USD', type: 'payment' }
  const body = { ...sale, metadata: large }
  for (let n = 0; n < payments; n++) {
    const response = await florin.call('POST', '/v1/transactions', { token, body })
    assert.equal(response.status, 201, response.text)
  }
  return owner
}

async function openStream(t: TestContext, { token }: Owner) {
  const parts = {
    db,
    findLive: (hashes: Buffer[]) => findLive(db, hashes),
    onError: (error: unknown) => assert.fail(String(error)),
  }
  const most = { of_credential_max: 1, of_account_max: 1, in_all_max: 1 }
  const limits = { ...most, stalled_max_ms: 60_000, heartbeat_every_ms: 15_000 }
  const streams = new EventStreams(parts, limits)
  t.after(() => streams.close())
  const found = await callerFinder(db)(token)
  const caller = { ...found!, request_id: 'req_test', header_account_id: undefined }
  return (await streams.open(caller, { after: 0, last_event_id: undefined }))!
}

const owner = await ownerOfLarge()
const upTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1)

test('buffers at most 64 KiB and one event for a slow reader, and loses nothing', async (t) => {
  const stream = await openStream(t, owner)
  await until(() => stream.readableLength > 65_536, 'a full buffer')
  assert.ok(stream.readableLength < 65_536 + 20_000, `${stream.readableLength} bytes buffered`)
  let text = ''
  for await (const chunk of stream) {
    text += chunk
    if (text.includes(`id: ${payments + 2}\n`)) break
  }
  const ids = [...text.matchAll(/^id: (\d+)\nevent: /gm)].map(([, id]) => Number(id))
  assert.deepEqual(ids, upTo(payments + 2))
})

test('delivers filtered events that follow large events', async () => {
  const { token } = owner
  const list = await florin.call('GET', '/v1/transactions?limit=1', { token })
  await florin.call('DELETE', `/v1/transactions/${list.body.data[0].id}`, { token })
  const path = '/v1/events/stream?after=0&type=transaction.canceled'
  const filtered = await StreamReader.open(florin.url, path, { token })
  await filtered.until(() => filtered.blocks.length > 0)
  assert.deepEqual(filtered.ids, [payments + 3])
  filtered.close()
})

test('delivers the last event of a closed account after a long backlog', async () => {
  const closed = await ownerOfLarge()
  const admin = await florin.people.admin()
  const headers = { 'florin-account': closed.account_id }
  const response = await florin.call('DELETE', '/v1/account', { token: closed.token })
  assert.ok(response.status < 300, response.text)
  const path = '/v1/events/stream?after=0'
  const reader = await StreamReader.open(florin.url, path, { token: admin.token, headers })
  await reader.until(() => reader.ended === 'ended')
  assert.equal(reader.blocks.at(-1)!.event, 'account.closed')
  assert.deepEqual(reader.ids, upTo(reader.ids.length))
})

test('limits the bytes that one poll reads per cursor, but reads at least one event', async () => {
  const cursors = [0, 1, 2].map((after) => ({
    account_id: findUuid('account', owner.account_id)!,
    after,
    cursor: after,
  }))
  const found = await selectFollowing(db, cursors, { events: 50, bytes: 65_536 })
  for (const [at, { after }] of cursors.entries()) {
    const own = found.filter(({ cursor }) => cursor === at)
    const sizes = own.map(({ data }) => Buffer.byteLength(data))
    const bytes = sizes.reduce((all, size) => all + size, 0)
    assert.ok(bytes >= 65_536 && bytes - sizes.at(-1)! < 65_536, `${bytes} bytes`)
    assert.equal(own.at(-1)!.bytes, bytes)
    assert.deepEqual(
      own.map(({ sequence }) => sequence),
      upTo(own.length).map((n) => n + after),
    )
  }
  const smallest = await selectFollowing(db, cursors, { events: 50, bytes: 1 })
  assert.equal(smallest.length, cursors.length)
})
