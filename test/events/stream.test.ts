// GET /v1/events/stream: events as they happen, resumed without a gap, ended with the token.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventStreams } from '../../src/http/event-streams.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { callerFinder } from '../../src/sessions/find-caller.ts'
import { findLive } from '../../src/sessions/key-tokens.ts'
import { makeKey } from '../api-keys/keys.ts'
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

test('what happens next comes as it happens, as the list shows it', async () => {
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

test('a HEAD of it ends, with the head that a GET would have', async () => {
  const { token } = await florin.people.owner()
  const response = await florin.call('HEAD', '/v1/events/stream', { token })
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  const bad = await florin.call('HEAD', '/v1/events/stream?after=x', { token })
  assert.equal(bad.status, 400)
})

test('whoever was cut off goes on with Last-Event-ID, and has every event once', async () => {
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

test('whoever is cut off before the first event goes on from where the stream began', async () => {
  const owner = await florin.people.owner()
  const stream = await follow(owner)
  await stream.until(() => stream.text.includes('\n\n'))
  stream.close()
  assert.equal(stream.text, 'retry: 1000\nid: 2\n\n')
  assert.deepEqual(stream.blocks, [], 'a number alone is no event')
  await pay(owner)
  const known = /^id: (\d+)$/m.exec(stream.text)![1]!
  const again = await follow(owner, '', { 'last-event-id': known })
  await again.until(() => again.blocks.length === 1)
  assert.deepEqual(again.ids, [3])
  again.close()
})

test('followers of many accounts are served side by side, each with its own', async () => {
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

test('a type leaves the others out, and an account named by an admin is followed', async () => {
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

test('a stream ends when its token does', async () => {
  const owner = await florin.people.owner()
  const member = await florin.people.member(owner)
  const [logged_out, suspended] = await Promise.all([follow(owner), follow(member)])
  const body = { status: 'suspended' }
  await florin.call('PATCH', `/v1/users/${member.id}`, { token: owner.token, body })
  await suspended.until(() => suspended.ended === 'ended')
  assert.deepEqual(suspended.blocks, [], 'nothing comes after the revocation')
  await florin.call('DELETE', '/v1/auth/session', { token: owner.token })
  await logged_out.until(() => logged_out.ended === 'ended')
})

test('closing the account ends its streams, and an admin sees the last event', async () => {
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

test('a closed account is told whatever the filter, and after it nobody comes back', async () => {
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
  // What a browser takes for the end; after anything else it would connect for ever.
  const last = String(filtered.ids.at(-1))
  for (const known of [{}, { 'last-event-id': last }]) {
    const nothing_more = await follow(admin, '?type=payment.*', { ...headers, ...known })
    await nothing_more.until(() => nothing_more.ended === 'ended')
    assert.deepEqual([nothing_more.status, nothing_more.text], [204, ''])
  }
  const restore = await forgetEvents(owner.account_id)
  const forgotten = await follow(admin, '?after=0', headers)
  await restore()
  assert.equal(forgotten.status, 204, 'also when its events are kept no longer')
})

/** As after 90 days; the books of younger accounts are held against their events. */
async function forgetEvents(account_id: string): Promise<() => Promise<unknown>> {
  const { pool } = florin.db
  const { rows } = await pool.query(
    `with gone as (delete from events where account_id = $1 returning *)
     select json_agg(gone)::text as events from gone`,
    [findUuid('account', account_id)],
  )
  const back = 'insert into events select * from json_populate_recordset(null::events, $1::json)'
  return () => pool.query(back, [rows[0].events])
}

test('numbers that cannot be are refused before anything is sent', async () => {
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

test('one that does not read holds little, is let go, and goes on where it was', async () => {
  const owner = await florin.people.owner()
  const { db } = florin
  const findLiveHashes = (hashes: Buffer[]) => findLive(db, hashes)
  const onError = (error: unknown) => assert.fail(String(error))
  const most = { of_credential_max: 1, of_account_max: 1, in_all_max: 1 }
  const limits = { ...most, stalled_max_ms: 300, beat_every_ms: 15_000 }
  const streams = new EventStreams({ db, findLive: findLiveHashes, onError }, limits)
  const found = await callerFinder(db)(owner.token)
  const caller = { ...found!, request_id: 'req_test', header_account_id: undefined }
  for (let n = 0; n < 300; n++) await pay(owner)
  const stalled = (await streams.open(caller, { after: 0, last_event_id: undefined }))!
  await new Promise((resolve) => stalled.once('close', resolve))
  assert.ok(stalled.readableLength < 262_144, 'it was not filled without bounds')
  // Whoever reads is never let go, however long this machine halts.
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

test('a heartbeat tells how far a filter has passed events by', async () => {
  const owner = await florin.people.owner()
  const { db } = florin
  const findLiveHashes = (hashes: Buffer[]) => findLive(db, hashes)
  const onError = (error: unknown) => assert.fail(String(error))
  const most = { of_credential_max: 1, of_account_max: 1, in_all_max: 1 }
  const limits = { ...most, stalled_max_ms: 60_000, beat_every_ms: 100 }
  const streams = new EventStreams({ db, findLive: findLiveHashes, onError }, limits)
  const found = await callerFinder(db)(owner.token)
  const caller = { ...found!, request_id: 'req_test', header_account_id: undefined }
  const type = 'payment.succeeded'
  const stream = (await streams.open(caller, { type, last_event_id: undefined }))!
  for (let n = 0; n < 3; n++) await pay(owner)
  let text = ''
  for await (const chunk of stream) {
    text += chunk
    // Once told, it beats without a number.
    if (/id: 5\n\n:\n\n$/.test(text)) break
  }
  assert.doesNotMatch(text, /data:/)
  streams.close()
})

test('a credential follows ten streams at the most, and one more when one has ended', async () => {
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

test('an account has its share of all streams, however many sessions it opens', async () => {
  const [owner, other] = [await florin.people.owner(), await florin.people.owner()]
  const { db } = florin
  const findLiveHashes = (hashes: Buffer[]) => findLive(db, hashes)
  const onError = (error: unknown) => assert.fail(String(error))
  const most = { of_credential_max: 2, of_account_max: 3, in_all_max: 40 }
  const limits = { ...most, stalled_max_ms: 9_000, beat_every_ms: 15_000 }
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

test('greedy accounts leave streams for others, and each account gets its first', async () => {
  const [first, second, third] = await Promise.all(upTo(1, 3).map(() => florin.people.owner()))
  const { db } = florin
  const findLiveHashes = (hashes: Buffer[]) => findLive(db, hashes)
  const onError = (error: unknown) => assert.fail(String(error))
  const most = { of_credential_max: 100, of_account_max: 100, in_all_max: 20 }
  const limits = { ...most, stalled_max_ms: 9_000, beat_every_ms: 15_000 }
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

test('stopping Florin ends the streams at once, and elsewhere they go on', async () => {
  const owner = await florin.people.owner()
  const second = await florin.startSecondServer()
  const path = '/v1/events/stream'
  const stream = await StreamReader.open(second.url, path, { token: owner.token })
  await pay(owner)
  await stream.until(() => stream.blocks.length === 1)
  const started = performance.now()
  await second.app.close()
  assert.ok(performance.now() - started < 5_000, 'nobody waited for a stream')
  await stream.until(() => stream.ended !== 'no')
  assert.equal(stream.ended, 'ended')
  await pay(owner)
  const on = await follow(owner, '', { 'last-event-id': String(stream.ids.at(-1)) })
  await on.until(() => on.blocks.length === 1)
  assert.deepEqual(on.ids, [4])
  on.close()
})

test('a stream leaves out what its caller may not list, and goes on behind it', async () => {
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
