// GET /v1/events/stream: live events, resumed without gaps, ended when the token is revoked.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventStreams } from '../../src/http/event-streams.ts'
import { callerFinder } from '../../src/identity/sessions/find-caller.ts'
import { findLive } from '../../src/identity/sessions/key-tokens.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { makeKey } from '../identity/api-keys/keys.ts'
import { startFlorin } from '../support/florin.ts'
import type { Owner, Person } from '../support/people.ts'
import { StreamReader } from './stream-reader.ts'

const florin = await startFlorin()

function follow(who: Person, query = '', headers: Record<string, string> = {}) {
  return StreamReader.open(florin.url, `/v1/events/stream${query}`, { token: who.token, headers })
}

async function pay(owner: Owner): Promise<string> {
  const { account_id, token } = owner
  const body = { account_id, amount: 7_500, currency: 'USD', type: 'payment' }
  const response = await florin.call('POST', '/v1/transactions', { token, body })
  assert.equal(response.status, 201, response.text)
  return response.body.id
}

const upTo = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, n) => first + n)

test('streams new events in the same form as the list', async () => {
  const owner = await florin.people.owner()
  const stream = await follow(owner)
  assert.equal(stream.status, 200)
  assert.equal(stream.response.headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.equal(stream.response.headers['cache-control'], 'no-store')
  await pay(owner)
  await stream.until(() => stream.blocks.length === 1)
  const listed = await florin.call('GET', '/v1/events?limit=1', { token: owner.token })
  const [block] = stream.blocks
  assert.deepEqual([block!.id, block!.event], [3, 'transaction.created'])
  assert.deepEqual(block!.data, listed.body.data[0])
  stream.close()
})

test('responds to HEAD with the headers of GET, and ends', async () => {
  const { token } = await florin.people.owner()
  const response = await florin.call('HEAD', '/v1/events/stream', { token })
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  const bad = await florin.call('HEAD', '/v1/events/stream?after=x', { token })
  assert.equal(bad.status, 400)
})

test('resumes with Last-Event-ID, and delivers every event once', async () => {
  const owner = await florin.people.owner()
  const payments = (async () => {
    for (let n = 0; n < 150; n++) await pay(owner)
  })()
  const seen: number[] = []
  while (seen.length < 152) {
    const last = seen.at(-1) ?? 0
    const stream = await follow(owner, '?after=0', last > 0 ? { 'last-event-id': `${last}` } : {})
    await stream.until(
      () => stream.blocks.length >= 20 || seen.length + stream.blocks.length >= 152,
    )
    stream.close()
    seen.push(...stream.ids)
  }
  await payments
  assert.deepEqual(seen, upTo(1, 152))
})

test('resumes at the start of the stream after a disconnect before the first event', async () => {
  const owner = await florin.people.owner()
  const stream = await follow(owner)
  await stream.until(() => stream.text.includes('\n\n'))
  stream.close()
  assert.equal(stream.text, 'retry: 1000\nid: 2\n\n')
  assert.deepEqual(stream.blocks, [], 'an id without data is not an event')
  await pay(owner)
  const known = /^id: (\d+)$/m.exec(stream.text)![1]!
  const again = await follow(owner, '', { 'last-event-id': known })
  await again.until(() => again.blocks.length === 1)
  assert.deepEqual(again.ids, [3])
  again.close()
})

test('serves subscribers of many accounts, each with the events of its account', async () => {
  const owners = await Promise.all(upTo(1, 5).map(() => florin.people.owner()))
  const streams = await Promise.all(owners.flatMap((owner) => [follow(owner), follow(owner)]))
  await Promise.all(owners.flatMap((owner) => [pay(owner), pay(owner), pay(owner)]))
  for (const [at, stream] of streams.entries()) {
    await stream.until(() => stream.blocks.length === 3)
    assert.deepEqual(stream.ids, [3, 4, 5])
    const accounts = new Set(stream.blocks.map(({ data }) => data.account_id))
    assert.deepEqual([...accounts], [owners[Math.floor(at / 2)]!.account_id])
    stream.close()
  }
})

test('filters by type, and streams the account that an admin names', async () => {
  const owner = await florin.people.owner()
  const admin = await florin.people.admin()
  const headers = { 'florin-account': owner.account_id }
  const stream = await follow(admin, '?type=transaction.canceled&after=0', headers)
  const id = await pay(owner)
  await florin.call('DELETE', `/v1/transactions/${id}`, { token: owner.token })
  await stream.until(() => stream.blocks.length > 0)
  assert.deepEqual(stream.ids, [4])
  stream.close()
})

test('ends a stream when its token is revoked', async () => {
  const owner = await florin.people.owner()
  const member = await florin.people.member(owner)
  const [logged_out, suspended] = await Promise.all([follow(owner), follow(member)])
  const body = { status: 'suspended' }
  await florin.call('PATCH', `/v1/users/${member.id}`, { token: owner.token, body })
  await suspended.until(() => suspended.ended === 'ended')
  assert.deepEqual(suspended.blocks, [], 'no events after the revocation')
  await florin.call('DELETE', '/v1/auth/session', { token: owner.token })
  await logged_out.until(() => logged_out.ended === 'ended')
})

test('ends the streams of a closed account, and sends an admin the last event', async () => {
  const owner = await florin.people.owner()
  const admin = await florin.people.admin()
  const headers = { 'florin-account': owner.account_id }
  const [own, by_admin] = await Promise.all([follow(owner), follow(admin, '', headers)])
  await florin.call('DELETE', '/v1/account', { token: owner.token })
  await own.until(() => own.ended === 'ended')
  await by_admin.until(() => by_admin.ended === 'ended')
  assert.equal(by_admin.blocks.at(-1)!.event, 'account.closed')
  const later = await follow(admin, '?after=0', headers)
  await later.until(() => later.ended === 'ended')
  assert.equal(later.blocks.at(-1)!.event, 'account.closed')
})

test('sends account.closed despite a filter, and returns 204 afterwards', async () => {
  const owner = await florin.people.owner()
  const admin = await florin.people.admin()
  const headers = { 'florin-account': owner.account_id }
  const filtered = await follow(admin, '?type=payment.*', headers)
  await florin.call('DELETE', '/v1/account', { token: owner.token })
  await filtered.until(() => filtered.ended === 'ended')
  assert.deepEqual(
    filtered.blocks.map(({ event }) => event),
    ['account.closed'],
  )
  // Only 204 stops a browser: after any other end it reconnects forever.
  const last = String(filtered.ids.at(-1))
  for (const known of [{}, { 'last-event-id': last }]) {
    const nothing_more = await follow(admin, '?type=payment.*', { ...headers, ...known })
    await nothing_more.until(() => nothing_more.ended === 'ended')
    assert.deepEqual([nothing_more.status, nothing_more.text], [204, ''])
  }
  const restore = await deleteEvents(owner.account_id)
  const pruned = await follow(admin, '?after=0', headers)
  await restore()
  assert.equal(pruned.status, 204, 'also after its events have been pruned')
})

/** As after 90 days. They are restored, because `verify` checks the events of recent accounts. */
async function deleteEvents(account_id: string): Promise<() => Promise<unknown>> {
  const { pool } = florin.db
  const { rows } = await pool.query(
    `with gone as (delete from events where account_id = $1 returning *)
     select json_agg(gone)::text as events from gone`,
    [findUuid('account', account_id)],
  )
  const back = 'insert into events select * from json_populate_recordset(null::events, $1::json)'
  return () => pool.query(back, [rows[0].events])
}

test('returns 400 for invalid numbers and filters', async () => {
  const owner = await florin.people.owner()
  for (const [query, header] of [
    ['', 'x'],
    ['', '-1'],
    ['', '99'],
    ['?after=99', undefined],
    ['?after=x', undefined],
    ['?type=lost.*', undefined],
  ] as const) {
    const headers: Record<string, string> = header === undefined ? {} : { 'last-event-id': header }
    const response = await florin.call('GET', `/v1/events/stream${query}`, {
      token: owner.token,
      headers,
    })
    assert.deepEqual(
      [response.status, response.body.error],
      [400, 'invalid_request'],
      query + header,
    )
  }
})

test('disconnects a stalled reader with a bounded buffer, and lets it resume', async () => {
  const owner = await florin.people.owner()
  const { db } = florin
  const findLiveHashes = (hashes: Buffer[]) => findLive(db, hashes)
  const onError = (error: unknown) => assert.fail(String(error))
  const most = { of_credential_max: 1, of_account_max: 1, in_all_max: 1 }
  const limits = { ...most, stalled_max_ms: 300, heartbeat_every_ms: 15_000 }
  const streams = new EventStreams({ db, findLive: findLiveHashes, onError }, limits)
  const found = await callerFinder(db)(owner.token)
  const caller = { ...found!, request_id: 'req_test', header_account_id: undefined }
  for (let n = 0; n < 300; n++) await pay(owner)
  const stalled = (await streams.open(caller, { after: 0, last_event_id: undefined }))!
  await new Promise((resolve) => stalled.once('close', resolve))
  assert.ok(stalled.readableLength < 262_144, 'the buffer is bounded')
  // A high limit, so that a slow machine does not disconnect an active reader.
  limits.stalled_max_ms = 60_000
  const again = (await streams.open(caller, { after: 0, last_event_id: undefined }))!
  let text = ''
  for await (const chunk of again) {
    text += chunk
    if (text.includes('id: 302\n')) break
  }
  assert.equal(text.match(/^event: /gm)!.length, 302)
  streams.close()
})

test('sends the number of the last skipped event with a heartbeat', async () => {
  const owner = await florin.people.owner()
  const { db } = florin
  const findLiveHashes = (hashes: Buffer[]) => findLive(db, hashes)
  const onError = (error: unknown) => assert.fail(String(error))
  const most = { of_credential_max: 1, of_account_max: 1, in_all_max: 1 }
  const limits = { ...most, stalled_max_ms: 60_000, heartbeat_every_ms: 100 }
  const streams = new EventStreams({ db, findLive: findLiveHashes, onError }, limits)
  const found = await callerFinder(db)(owner.token)
  const caller = { ...found!, request_id: 'req_test', header_account_id: undefined }
  const type = 'payment.succeeded'
  const stream = (await streams.open(caller, { type, last_event_id: undefined }))!
  for (let n = 0; n < 3; n++) await pay(owner)
  let text = ''
  for await (const chunk of stream) {
    text += chunk
    // Later heartbeats have no number.
    if (/id: 5\n\n:\n\n$/.test(text)) break
  }
  assert.doesNotMatch(text, /data:/)
  streams.close()
})

test('returns 429 for an eleventh stream of a credential, until one ends', async () => {
  const owner = await florin.people.owner()
  const streams = await Promise.all(upTo(1, 10).map(() => follow(owner)))
  const refused = await follow(owner)
  assert.deepEqual([refused.status, refused.response.headers['retry-after']], [429, '10'])
  streams[0]!.close()
  let again = await follow(owner)
  while (again.status === 429) again = await follow(owner)
  assert.equal(again.status, 200)
  for (const stream of [...streams, again]) stream.close()
})

test('limits the streams of an account over all of its sessions', async () => {
  const [owner, other] = [await florin.people.owner(), await florin.people.owner()]
  const { db } = florin
  const findLiveHashes = (hashes: Buffer[]) => findLive(db, hashes)
  const onError = (error: unknown) => assert.fail(String(error))
  const most = { of_credential_max: 2, of_account_max: 3, in_all_max: 40 }
  const limits = { ...most, stalled_max_ms: 9_000, heartbeat_every_ms: 15_000 }
  const streams = new EventStreams({ db, findLive: findLiveHashes, onError }, limits)
  const open = async ({ token }: { token: string }) => {
    const found = await callerFinder(db)(token)
    const caller = { ...found!, request_id: 'req_test', header_account_id: undefined }
    return streams.open(caller, { last_event_id: undefined })
  }
  const sessions = await Promise.all(upTo(1, 3).map(() => florin.people.session(owner)))
  const first = (await open(sessions[0]!))!
  await open(sessions[0]!)
  await open(sessions[1]!)
  await assert.rejects(open(sessions[1]!), /^Refusal: This account already has 3 open streams/)
  await assert.rejects(open(sessions[2]!), { code: 'rate_limited' })
  await open(other)
  first.destroy()
  await new Promise((resolve) => first.once('close', resolve))
  await open(sessions[2]!)
  streams.close()
})

test('reserves streams for other accounts when a few accounts open many', async () => {
  const [first, second, third] = await Promise.all(upTo(1, 3).map(() => florin.people.owner()))
  const { db } = florin
  const findLiveHashes = (hashes: Buffer[]) => findLive(db, hashes)
  const onError = (error: unknown) => assert.fail(String(error))
  const most = { of_credential_max: 100, of_account_max: 100, in_all_max: 20 }
  const limits = { ...most, stalled_max_ms: 9_000, heartbeat_every_ms: 15_000 }
  const streams = new EventStreams({ db, findLive: findLiveHashes, onError }, limits)
  const openAll = async ({ token }: { token: string }) => {
    const found = await callerFinder(db)(token)
    const caller = { ...found!, request_id: 'req_test', header_account_id: undefined }
    for (let count = 0; ; count++) {
      try {
        await streams.open(caller, { last_event_id: undefined })
      } catch (error) {
        assert.match(String(error), /^Refusal: This account already has \d+ open streams/)
        return count
      }
    }
  }
  const counts = [await openAll(first!), await openAll(second!), await openAll(third!)]
  assert.deepEqual(counts, [4, 3, 2])
  const others = await Promise.all(upTo(1, 6).map(() => florin.people.owner()))
  for (const other of others) assert.ok((await openAll(other)) >= 1)
  streams.close()
})

test('ends streams at once on shutdown, and resumes them on another server', async () => {
  const owner = await florin.people.owner()
  const second = await florin.startSecondServer()
  const path = '/v1/events/stream'
  const stream = await StreamReader.open(second.url, path, { token: owner.token })
  await pay(owner)
  await stream.until(() => stream.blocks.length === 1)
  const started = performance.now()
  await second.app.close()
  assert.ok(performance.now() - started < 5_000, 'shutdown does not wait for streams')
  await stream.until(() => stream.ended !== 'no')
  assert.equal(stream.ended, 'ended')
  await pay(owner)
  const resumed = await follow(owner, '', { 'last-event-id': String(stream.ids.at(-1)) })
  await resumed.until(() => resumed.blocks.length === 1)
  assert.deepEqual(resumed.ids, [4])
  resumed.close()
})

test('skips events that the caller may not list', async () => {
  const owner = await florin.people.owner()
  const member = await florin.people.member(owner)
  const stream = await follow(member)
  await makeKey(florin, owner, ['*'])
  await pay(owner)
  await stream.until(() => stream.blocks.length === 1)
  assert.deepEqual(stream.blocks[0]!.event, 'transaction.created')
  assert.doesNotMatch(stream.text, /api_key/)
  stream.close()
})
