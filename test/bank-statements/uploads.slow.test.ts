// Uploads that end early, fail halfway, arrive several times at once, or repeat what is stored.
// Nothing of a file is stored unless all of it is, once.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { request } from 'undici'
import { eventually } from '../support/eventually.ts'
import { BankFixtures, fileOf } from './bank-fixtures.ts'

const fixtures = await BankFixtures.open()
const { florin } = fixtures
const { token } = fixtures.admin

const tables = ['bank_statements', 'bank_entries', 'bank_accounts', 'audit_log']

/** Every row of the bank tables, to compare before and after. */
async function stored(): Promise<unknown> {
  const read = async (table: string) =>
    (await florin.db.pool.query(`select * from ${table} order by 1`)).rows
  return Promise.all(tables.map(read))
}

const headers = {
  authorization: `Bearer ${token}`,
  'content-type': 'application/octet-stream',
}
const { host, port } = new URL(florin.url)
const url = `${florin.url}/v1/bank_statements`

test('a file without a length is read as it arrives, up to the limit', async () => {
  const file = fileOf([{ signed: 100, text: 'chunked' }])
  const slices = file.match(/[\s\S]{1,700}/g)!
  const body = Readable.from(slices)
  const response = await request(url, { method: 'POST', headers, body })
  assert.equal(response.statusCode, 200, await response.body.text())
  const before = await stored()
  const [start, end] = [file.indexOf('<Ntry>'), file.lastIndexOf('</Ntry>') + 7]
  const entries = file.slice(start, end).repeat(1_000)
  const length = Math.ceil(11_000_000 / entries.length)
  const endless = Readable.from([file.slice(0, start), ...Array.from({ length }, () => entries)])
  const rejected = await request(url, { method: 'POST', headers, body: endless })
  assert.equal(rejected.statusCode, 413, await rejected.body.text())
  assert.deepEqual(await stored(), before)
})

test('a file of nearly 10 MiB is imported', async () => {
  const one = fileOf([{ signed: 1, text: 'large' }])
  const entry_bytes = one.indexOf('</Ntry>') - one.indexOf('<Ntry>') + 7
  const length = Math.floor(10_400_000 / (entry_bytes + 20))
  const money = Array.from({ length }, (_, at) => ({ signed: at + 1, text: `large ${at}` }))
  const file = fileOf(money)
  assert.ok(file.length > 9_000_000 && file.length < 10_485_760, `${file.length} bytes`)
  const [statement] = await fixtures.import(file)
  assert.deepEqual([statement.entry_count, statement.new_count], [length, length])
})

test('a file is rejected at its first error, and the connection can be used again', async () => {
  const socket = connect(Number(port), '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (text) => {
    received += text
  })
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const rest = 100_000
  const start = 'not a bank statement\n'.repeat(1_000)
  socket.write(`POST /v1/bank_statements HTTP/1.1\r\nhost: ${host}\r\n${head.join('')}`)
  socket.write(`content-length: ${start.length + rest}\r\n\r\n${start}`)
  await eventually(async () => received, /^HTTP\/1\.1 400 [\s\S]*camt\.053/)
  socket.write(`${'x'.repeat(rest)}GET /livez HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
  await eventually(async () => received, /HTTP\/1\.1 200 /)
  socket.destroy()
})

test('a file whose connection closes before its end changes nothing', async () => {
  const before = await stored()
  const file = fileOf([{ signed: 100, text: 'half' }])
  const socket = connect(Number(port), '127.0.0.1')
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST /v1/bank_statements HTTP/1.1\r\nhost: ${host}\r\n${head.join('')}`)
  socket.write(`content-length: ${file.length}\r\n\r\n${file.slice(0, -10)}`)
  await once(socket, 'connect')
  socket.end()
  await once(socket.resume(), 'close')
  assert.deepEqual(await stored(), before)
})

test('an import that fails in the middle changes nothing, and works later', async () => {
  // More than one batch of rows, with the failure in the second.
  const money = Array.from({ length: 1_200 }, (_, at) => ({ signed: at + 1, text: `entry ${at}` }))
  const file = fileOf(money)
  const before = await stored()
  await florin.db.pool.query(
    'alter table bank_entries add constraint fails check (amount <> 1100) not valid',
  )
  assert.equal((await fixtures.upload(file)).status, 500)
  assert.deepEqual(await stored(), before)
  await florin.db.pool.query('alter table bank_entries drop constraint fails')
  const [statement] = await fixtures.import(file)
  assert.deepEqual([statement.entry_count, statement.new_count], [1_200, 1_200])
})

test('the same file at the same time is stored once, and so are overlapping files', async () => {
  const money = [1, 2, 3, 4].map((n) => ({ signed: n * 1_000, text: `e${n}`, reference: `R${n}` }))
  const whole = fileOf(money, 0, 7_001)
  const part = fileOf(money.slice(0, 2), 0, 7_002)
  const files = [whole, part, whole, part, whole]
  const responses = await Promise.all(files.map((file) => fixtures.upload(file)))
  const statements = responses.map(({ status, body, text }) => {
    assert.equal(status, 200, text)
    return body.data[0]
  })
  assert.equal(new Set(statements.map(({ id }) => id)).size, 2)
  const { rows } = await florin.db.pool.query(
    `select count(*)::int as entries from bank_entries where bank_reference = any($1)`,
    [money.map(({ reference }) => reference)],
  )
  assert.equal(rows[0].entries, 4)
  const news = new Map(statements.map(({ id, new_count }) => [id, new_count]))
  assert.equal(
    [...news.values()].reduce((sum, one) => sum + one),
    4,
  )
  const audited = await florin.db.pool.query(
    `select count(*)::int as entries from audit_log
     where action = 'bank_statement.imported' and object_id = any($1)`,
    [(await florin.db.pool.query('select id from bank_statements')).rows.map(({ id }) => id)],
  )
  assert.ok(audited.rows[0].entries >= 2)
})

test('a statement that a file contains twice is stored once', async () => {
  const twin = { signed: 34, text: 'tea', reference: null, booked_on: '2026-10-02' }
  const file = fileOf([twin, twin], 0, 9_005)
  const [statement] = /<Stmt>.*<\/Stmt>/s.exec(file)!
  const stored_once = await fixtures.import(file.replace('</Stmt>', `</Stmt>${statement}`))
  assert.deepEqual(
    stored_once.map(({ entry_count, new_count }: Record<string, number>) => [
      entry_count,
      new_count,
    ]),
    [[2, 2]],
  )
  assert.deepEqual(await fixtures.import(file), stored_once)
})

/** A statement with one collective entry, as a whole or with its transfers. */
function batchOf(texts: string[], number: number, details: 'whole' | 'transfers'): string {
  const transfers = texts.map(
    (text) => `<TxDtls><Amt Ccy="EUR">1.00</Amt><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`,
  )
  const size = `<Btch><NbOfTxs>${texts.length}</NbOfTxs></Btch>`
  const money = { signed: texts.length * 100, text: 'x', reference: `BATCH-${texts[0]}` }
  return fileOf([money], 0, number).replace(
    /<NtryDtls>.*<\/NtryDtls>/s,
    `<NtryDtls>${details === 'whole' ? size : transfers.join('')}</NtryDtls>`,
  )
}

test('the transfers of a collective entry replace it, in this order only', async () => {
  const shop = await fixtures.euroShop()
  const ids = [await fixtures.euroRequest(shop, 100), await fixtures.euroRequest(shop, 100)]
  const [whole] = await fixtures.import(batchOf(ids, 9_006, 'whole'))
  await fixtures.settleAll()
  const [open] = await fixtures.entriesOf(whole.id)
  assert.deepEqual([open.status, open.reason], ['open', 'incomplete_batch'])
  // The same statement, exported again.
  const [detailed] = await fixtures.import(batchOf(ids, 9_006, 'transfers'))
  assert.equal(detailed.new_count, 2)
  await fixtures.settleAll()
  const [replaced] = await fixtures.entriesOf(whole.id)
  assert.deepEqual([replaced.status, replaced.note], ['ignored', 'Replaced by its 2 transfers.'])
  const settled = await fixtures.entriesOf(detailed.id)
  assert.deepEqual(settled.map((one: { settles: string }) => one.settles).toSorted(), ids)
  const before = await stored()
  for (const [verb, body] of [
    ['match', { payment_id: ids[0] }],
    ['reopen'],
    ['ignore', {}],
  ] as const) {
    const decided = await fixtures.decide(open.id, verb, body)
    assert.equal(decided.status, 409)
    assert.match(decided.body.message, /replaced by its transfers/)
  }
  const [again] = await fixtures.import(batchOf(ids, 9_006, 'whole'))
  assert.equal(again.id, whole.id)
  assert.deepEqual(await stored(), before)
  const [later] = await fixtures.import(batchOf(ids, 9_007, 'whole'))
  assert.equal(later.new_count, 0)
  const money = ['payment', 'succeeded', 100]
  assert.deepEqual(await fixtures.transactionsOf(shop), [money, money])
})

test('a collective entry that a person has decided is not replaced', async () => {
  const [whole] = await fixtures.import(batchOf(['a', 'b'], 9_008, 'whole'))
  const [entry] = await fixtures.entriesOf(whole.id)
  assert.equal((await fixtures.decide(entry.id, 'ignore', { note: 'Rent.' })).status, 200)
  const [detailed] = await fixtures.import(batchOf(['a', 'b'], 9_009, 'transfers'))
  assert.equal(detailed.new_count, 0)
  const [kept] = await fixtures.entriesOf(whole.id)
  assert.deepEqual([kept.status, kept.note], ['ignored', 'Rent.'])
})
