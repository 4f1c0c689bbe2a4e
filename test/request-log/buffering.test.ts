// The request log under too much load, during an outage of the database, and after its retention.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '../../src/postgres/database.ts'
import { newRealTimeUuid, newUuid, toTypeId } from '../../src/primitives/ids.ts'
import type { LoggedRequest } from '../../src/request-log/entry.ts'
import { RequestLog, sweepRequestLog } from '../../src/request-log/request-log.ts'
import { addBareAccounts } from '../support/bare-accounts.ts'
import { cloneDatabase, dropDatabase, stopOwnServer } from '../support/postgres.ts'

const { connection, name } = await cloneDatabase()
const db = openDatabase(connection)
after(async () => {
  await db.close()
  await dropDatabase(name)
  await stopOwnServer()
})

function newRequest(account_id: string): LoggedRequest {
  return {
    account_id,
    request_id: toTypeId('request', newRealTimeUuid(Date.now())),
    method: 'GET',
    url: '/v1/account',
    status: 200,
    duration_ms: 1,
    caller_kind: 'user',
    caller_id: newUuid(Date.now()),
    has_idempotency_key: false,
    error: null,
    request_body: undefined,
    response_body: undefined,
  }
}

async function count(account_id: string): Promise<number> {
  const text = 'select count(*)::int as n from request_logs where account_id = $1'
  return (await db.pool.query(text, [account_id])).rows[0].n
}

test('drops and counts entries over the limit, and still logs a quiet account', async () => {
  const log = new RequestLog(db, (error) => assert.fail(String(error)))
  const [loud, quiet] = [newUuid(Date.now()), newUuid(Date.now())]
  for (let n = 0; n < 2_000; n++) log.note(newRequest(loud))
  for (let n = 0; n < 3; n++) log.note(newRequest(quiet))
  assert.equal(log.hasRoom(loud), false)
  await log.close()
  const logged = await count(loud)
  assert.ok(logged >= 250 && logged <= 500, `${logged} of the busy account`)
  assert.equal(await count(quiet), 3)
  assert.equal(log.dropped, 2_000 - logged)
})

test('redacting many entries does not block the event loop', async () => {
  let turns = 0
  let at_insert: number | undefined
  const watched = { ...db, rows: db.rows, count: db.count } as typeof db
  for (const name of ['rows', 'row', 'count', 'transaction', 'batch'] as const) {
    const real = db[name].bind(db) as (...given: unknown[]) => unknown
    Object.assign(watched, {
      [name]: (...given: unknown[]) => {
        at_insert ??= turns
        return real(...given)
      },
    })
  }
  const log = new RequestLog(watched, (error) => assert.fail(String(error)))
  for (let n = 0; n < 200; n++) log.note(newRequest(newUuid(Date.now())))
  let counting = true
  const countTurn = () => {
    turns += 1
    if (counting) setImmediate(countTurn)
  }
  setImmediate(countTurn)
  await log.close()
  counting = false
  assert.ok(at_insert! >= 5, `${at_insert} turns of the event loop before 200 entries were written`)
})

test('drops entries while the database is unavailable', async () => {
  const away = openDatabase({ host: '127.0.0.1', port: 1 })
  const errors: unknown[] = []
  const log = new RequestLog(away, (error) => errors.push(error))
  log.note(newRequest(newUuid(Date.now())))
  await log.close()
  await away.close()
  assert.equal(errors.length, 1)
  assert.equal(log.dropped, 1)
})

test('logs a path with an escaped NUL next to a token', async () => {
  const log = new RequestLog(db, (error) => assert.fail(String(error)))
  const [sender, other] = [newUuid(Date.now()), newUuid(Date.now())]
  log.note({ ...newRequest(sender), url: '/v1/transactions?x=%00fat_aaaaaaaaaa' })
  log.note(newRequest(other))
  await log.close()
  assert.deepEqual([await count(sender), await count(other), log.dropped], [1, 1, 0])
})

test('drops and counts only the entries that the database rejects', async () => {
  const errors: unknown[] = []
  const log = new RequestLog(db, (error) => errors.push(error))
  const [bad, good] = [newUuid(Date.now()), newUuid(Date.now())]
  log.note(newRequest(good))
  // Not possible with a real request: it represents any unforeseen invalid value.
  log.note({ ...newRequest(bad), method: 'GET\u0000' })
  log.note({ ...newRequest(bad), status: 100_000 })
  log.note(newRequest(good))
  await log.close()
  assert.deepEqual([await count(bad), await count(good)], [0, 2])
  assert.equal(log.dropped, 2)
  assert.equal(errors.length, 1, 'reported once for the batch')
})

test('deletes entries older than seven days of all accounts in several statements', async () => {
  const day_ms = 86_400_000
  const account_ids = [1, 2, 3].map(() => newUuid(Date.now()))
  await addBareAccounts(db.pool, account_ids)
  const insert = `insert into request_logs (account_id, entry_id, id, method, path, status,
      duration_ms, caller_kind, caller_id, has_idempotency_key)
    select $1, it, it, 'GET', '/', 200, 1, 'user', $1, false from unnest($2::uuid[]) as it`
  for (const [n, account_id] of account_ids.entries()) {
    const ages = Array.from({ length: n === 0 ? 12_000 : 3 }, (_, at) => (at === 0 ? 6 : 8))
    const ids = ages.map((days) => newRealTimeUuid(Date.now() - days * day_ms))
    await db.pool.query(insert, [account_id, ids])
  }
  assert.equal(await sweepRequestLog(db), 11_999 + 2 + 2)
  for (const account_id of account_ids) assert.equal(await count(account_id), 1)
  assert.equal(await sweepRequestLog(db), 0)
})
