// Import of bank statements: every format, repeated and joined files, and what is rejected.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listGaps } from '../../src/bank-statements/reconcile-entries.ts'
import { columnMap, formats, writeCamt } from '../bank/statements/write-samples.ts'
import { BankFixtures, fileOf } from './bank-fixtures.ts'

const fixtures = await BankFixtures.open()
const { florin } = fixtures
const { token } = fixtures.admin

/** Every row of the bank tables, to compare before and after. */
async function stored(): Promise<unknown> {
  const tables = ['bank_statements', 'bank_entries', 'bank_accounts', 'audit_log']
  return Promise.all(
    tables.map(async (table) => {
      const { rows } = await florin.db.pool.query(`select * from ${table} order by 1`)
      return rows
    }),
  )
}

test('importing a file again changes nothing, also with entries of a longer period', async () => {
  const shop = await fixtures.euroShop()
  const id = await fixtures.euroRequest(shop, 100)
  const first = { signed: 100, text: id, reference: 'ONCE1' }
  const file = fileOf([first], 0, 9_001)
  const [statement] = await fixtures.import(file)
  await fixtures.settleAll()
  const before = await stored()
  assert.deepEqual(await fixtures.import(file), [statement])
  assert.deepEqual(await stored(), before)
  const longer = fileOf([first, { signed: 5, text: 'other', reference: 'ONCE2' }], 0, 9_002)
  const [second] = await fixtures.import(longer)
  assert.deepEqual([second.entry_count, second.new_count], [2, 1])
  await fixtures.settleAll()
  assert.deepEqual(await fixtures.transactionsOf(shop), [['payment', 'succeeded', 100]])
})

test('equal entries without a bank reference are counted, not merged', async () => {
  const twin = { signed: 33, text: 'coffee', reference: null, booked_on: '2026-10-01' }
  const [statement] = await fixtures.import(fileOf([twin, twin], 0, 9_003))
  assert.equal(statement.new_count, 2)
  const [again] = await fixtures.import(fileOf([twin, twin, twin], 0, 9_004))
  assert.equal(again.new_count, 1)
  // It could be the export of a part of the day again.
  const [part] = await fixtures.import(fileOf([twin], 99, 9_005))
  assert.deepEqual([part.entry_count, part.new_count], [1, 0])
})

test('every format is imported with the same entries', async () => {
  await florin.call('POST', '/v1/bank_column_maps', {
    token,
    body: { name: 'Sample', column_map: columnMap },
  })
  const sample = {
    iban: 'DE75512108001245126199',
    sequence: 1,
    opening: 100,
    entries: [
      {
        signed: 250,
        booked_on: '2026-11-10',
        reference: 'F1',
        end_to_end_id: null,
        name: 'Jane Doe',
        iban: 'NL91ABNA0417164300',
        text: 'hello',
      },
    ],
  }
  const counts: Record<string, number[]> = {}
  for (const [format, write] of Object.entries(formats)) {
    const query = format.startsWith('csv') ? '?column_map=Sample' : ''
    const response = await fixtures.upload(write(sample), { query })
    assert.equal(response.status, 200, `${format}: ${response.text}`)
    const [statement] = response.body.data
    counts[format] = [statement.entry_count]
  }
  assert.deepEqual(new Set(Object.values(counts).flat()), new Set([1]))
})

test('a statement that does not continue another shows a gap until it is filled', async () => {
  const iban = 'DE02120300000000202051'
  const at = (sequence: number, opening: number, signed: number) =>
    writeCamt(
      {
        iban,
        sequence,
        opening,
        entries: [
          {
            signed,
            booked_on: '2026-11-18',
            reference: `G${sequence}`,
            end_to_end_id: null,
            name: 'Jane Doe',
            iban: 'NL91ABNA0417164300',
            text: 'x',
          },
        ],
      },
      '08',
    )
  const [first] = await fixtures.import(at(1, 0, 100))
  assert.equal(first.gap, null)
  const [third] = await fixtures.import(at(3, 300, 50))
  assert.match(third.gap, /must be 1\.00 EUR.*got 3\.00 EUR/)
  const gaps = async () => {
    const all = await listGaps(florin.db)
    return all.filter(({ bank_account }) => bank_account === iban).map(({ sequence }) => sequence)
  }
  assert.deepEqual(await gaps(), ['3'])
  const [second] = await fixtures.import(at(2, 100, 200))
  assert.equal(second.gap, null)
  const { body } = await florin.call('GET', `/v1/bank_statements/${third.id}`, { token })
  assert.equal(body.gap, null)
  // The first one again, and one of a month that contains the others.
  const [again] = await fixtures.import(at(4, 0, 100).replaceAll('G4', 'G1'))
  assert.equal(again.gap, null)
  const month = at(5, -700, 50).replace('<Dt><Dt>2026-11-18', '<Dt><Dt>2026-11-01')
  assert.equal((await fixtures.import(month))[0].gap, null)
  assert.equal((await fixtures.import(at(6, 900, 50)))[0].gap, null)
  assert.deepEqual(await gaps(), [])
})

test('a file that is malformed or does not add up is rejected and changes nothing', async () => {
  const before = await stored()
  const wrong_sum = fileOf([{ signed: 100, text: 'x' }]).replace('1.00</Amt>', '2.00</Amt>')
  const faulty: [string, RegExp][] = [
    [wrong_sum, /must add up to the closing balance/],
    [fileOf([{ signed: 1, text: 'x' }]).slice(0, -30), /^Line \d+/],
    ['<!DOCTYPE a [<!ENTITY b "c">]><Document>&b;</Document>', /Line 1/],
    ['hello', /camt\.053/],
    ['\u0000\u0001', /camt\.053/],
  ]
  for (const [file, message] of faulty) {
    const { status, body } = await fixtures.upload(file)
    assert.deepEqual([status, body.error], [400, 'invalid_request'])
    assert.match(body.message, message)
  }
  const empty = await florin.call('POST', '/v1/bank_statements', { token })
  assert.deepEqual([empty.status, empty.body.error], [400, 'invalid_request'])
  const json = await florin.call('POST', '/v1/bank_statements', { token, body: {} })
  assert.equal(json.status, 415)
  const large = await fixtures.upload('x'.repeat(10 * 1024 * 1024 + 1))
  assert.equal(large.status, 413)
  assert.deepEqual(await stored(), before)
})

test('control characters and long texts of a bank are stored as plain text', async () => {
  const file = fileOf([{ signed: 1, text: `a\u0085b${'x'.repeat(5_000)}` }])
  const [statement] = await fixtures.import(file)
  const [entry] = await fixtures.entriesOf(statement.id)
  assert.ok(entry.remittance.startsWith('a bx'))
  assert.equal(entry.remittance.length, 2_000)
})

test('an Idempotency-Key replays the response, and rejects another file', async () => {
  const headers = { 'idempotency-key': 'statement-1' }
  const file = fileOf([{ signed: 1, text: 'once' }])
  const first = await fixtures.upload(file, { headers })
  const again = await fixtures.upload(file, { headers })
  assert.deepEqual([first.status, again.text], [200, first.text])
  const other = await fixtures.upload(fileOf([]), { headers })
  assert.equal(other.body.error, 'idempotency_conflict')
})

test('column maps are saved, replaced, listed and deleted', async () => {
  const save = (column_map: unknown) =>
    florin.call('POST', '/v1/bank_column_maps', { token, body: { name: 'Bank', column_map } })
  assert.equal((await save(columnMap)).status, 200)
  const saved = await save({ ...columnMap, skipped_lines: 3 })
  assert.equal(saved.body.column_map.skipped_lines, 3)
  const invalid = await save({ ...columnMap, date_format: 'DD' })
  assert.match(invalid.body.message, /column_map\.date_format/)
  const unknown = await fixtures.upload('a;b', { query: '?column_map=None' })
  assert.match(unknown.body.message, /must be the name of a saved column map/)
  const path = '/v1/bank_column_maps'
  const names = async () =>
    (await florin.call('GET', path, { token })).body.data.map(({ name }: { name: string }) => name)
  assert.ok((await names()).includes('Bank'))
  assert.equal((await florin.call('DELETE', `${path}/Bank`, { token })).status, 200)
  assert.ok(!(await names()).includes('Bank'))
  assert.equal((await florin.call('DELETE', `${path}/Bank`, { token })).status, 404)
})
