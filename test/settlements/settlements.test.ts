import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { settleOpenEntries } from '../../src/bank-statements/reconcile-entries.ts'
import { reconcile, reconcileAndStore, reconcileHourly } from '../../src/operations/reconcile.ts'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { openProcessor } from '../../src/processors/processor.ts'
import { listUnseenAmounts, settleBankEntry } from '../../src/settlements/settle-bank-entry.ts'
import { jobsOf } from '../../src/worker-jobs.ts'
import { BankFixtures, fileOf } from '../bank-statements/bank-fixtures.ts'
import { startFlorin } from '../support/florin.ts'
import { insertSettlement } from './insert-settlement.ts'

const florin = await startFlorin()
const admin = await florin.people.admin()
const get = async (path: string) => {
  const { status, body } = await florin.call('GET', path, { token: admin.token })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

test('the worker compares without a provider, once there is something to compare', async () => {
  const other = await startFlorin()
  const log = pino({ level: 'silent' })
  const processor = await openProcessor(other.config)
  assert.equal(processor.providers.length, 0)
  const jobs = jobsOf({ db: other.db, log, config: other.config, processor })
  const job = jobs.find(({ name }) => name === 'reconcile')!
  const round = async () =>
    (await job.run(other.db, { slots: [], signal: new AbortController().signal })).done
  assert.equal(await round(), 0)
  const bank = new BankFixtures(other, await other.people.admin())
  await bank.receive({ signed: 5_000, text: 'Rent' })
  assert.deepEqual([await round(), await round()], [1, 0])
  const { token } = bank.admin
  const { body } = await other.call('GET', '/v1/reconciliation', { token })
  const lines = body.lines.map(({ line, at_bank }: Record<string, unknown>) => [line, at_bank])
  assert.deepEqual(lines, [['open', 5_000]])
})

test('nothing is compared before the first round of the worker', async () => {
  const empty = { lines: [], difference_count: 0, differences: [] }
  const expected = { object: 'reconciliation', compared_at: null, ...empty }
  assert.deepEqual(await get('/v1/reconciliation'), expected)
})

test('a settlement has a line for each kind of entry', async () => {
  const id = await insertSettlement(florin.db)
  assert.deepEqual(await get(`/v1/settlements/${id}`), {
    id,
    provider: 'stripe',
    provider_id: 'po_1',
    amount: 8_180,
    currency: 'EUR',
    status: 'paid',
    entries: 'complete',
    lines: [
      { kind: 'charge', count: 1, amount: 10_000, fee: 320, net: 9_680 },
      { kind: 'refund', count: 1, amount: -1_500, fee: 0, net: -1_500 },
      { kind: 'remainder', count: 0, amount: 0, fee: 0, net: 0 },
    ],
    references: ['TRACEpo_1'],
    bank_entry_id: null,
    returned_entry_id: null,
    created_at: '2026-11-02T09:00:00.000Z',
    arrives_at: '2026-11-04T00:00:00.000Z',
  })
})

test('what a settlement contains beyond its entries is a line', async () => {
  const id = await insertSettlement(florin.db, 'po_2', 8_000)
  const { amount, lines } = await get(`/v1/settlements/${id}`)
  const remainder = { kind: 'remainder', count: 0, amount: -180, fee: 0, net: -180 }
  assert.deepEqual(lines.at(-1), remainder)
  assert.equal(
    lines.reduce((sum: number, { net }: { net: number }) => sum + net, 0),
    amount,
  )
})

test('settlements and their entries are listed newest first, in pages', async () => {
  const all = await get('/v1/settlements?provider=stripe&status=paid')
  assert.equal(all.data.length, 2)
  const first = await get('/v1/settlements?limit=1')
  assert.deepEqual([first.data, first.has_more], [[all.data[0]], true])
  const second = await get(`/v1/settlements?limit=1&starting_after=${first.data[0].id}`)
  assert.deepEqual([second.data, second.has_more], [[all.data[1]], false])
  for (const none of ['provider=mollie', 'status=failed']) {
    assert.deepEqual((await get(`/v1/settlements?${none}`)).data, [])
  }
  const path = `/v1/settlements/${all.data[0].id}/entries`
  const entries = await get(path)
  assert.deepEqual(entries.data.map(({ kind }: { kind: string }) => kind).sort(), [
    'charge',
    'refund',
  ])
  const older = await get(`${path}?limit=1&starting_after=${entries.data[0].id}`)
  assert.deepEqual([older.data, older.has_more], [[entries.data[1]], false])
  const charge = entries.data.find(({ kind }: { kind: string }) => kind === 'charge')
  assert.match(charge.id, /^ble_\w{26}$/)
  assert.match(charge.account_id, /^acct_\w{26}$/)
  assert.deepEqual([charge.amount, charge.fee, charge.net], [10_000, 320, 9_680])
  // An entry of another settlement is not a cursor of this list.
  const other = await get(`/v1/settlements/${all.data[1].id}/entries`)
  const { status } = await florin.call('GET', `${path}?starting_after=${other.data[0].id}`, {
    token: admin.token,
  })
  assert.equal(status, 400)
})

test('the last comparison is stored for the dashboard, and repeated after an hour', async () => {
  const { differences } = await reconcileAndStore(florin.db)
  const stored = await get('/v1/reconciliation')
  assert.deepEqual(stored.differences, differences)
  assert.deepEqual(
    stored.differences.map(({ rule }: { rule: string }) => rule),
    ['ledger_matches_provider', 'ledger_matches_provider', 'settlement_equals_its_entries'],
  )
  assert.deepEqual(
    stored.lines.map(({ line }: { line: string }) => line),
    ['charges', 'fees', 'other', 'settled', 'remainder', 'balance'],
  )
  assert.equal((await reconcileHourly(florin.db)).done, 0)
  const hour_before = new Date(Date.parse(stored.compared_at) - 3_600_000)
  await florin.db.pool.query('update reconciliations set compared_at = $1', [hour_before])
  assert.equal((await reconcileHourly(florin.db)).done, 1)
  assert.ok((await get('/v1/reconciliation')).compared_at > stored.compared_at)
})

test('the bank shows a settlement before or after the provider lists it, and once', async () => {
  const bank = new BankFixtures(florin, admin)
  const settlers = [settleBankEntry]
  const show = async (text: string) => {
    const entries = [{ signed: 5_000, text, booked_on: '2026-11-04' }]
    const [statement] = await bank.import(fileOf(entries))
    await bank.settleAll({ settlers })
    const [entry] = await bank.entriesOf(statement.id)
    return entry
  }
  const late = await insertSettlement(florin.db, 'po_3', 5_000)
  const after = await show('TRACEpo_3')
  assert.deepEqual([after.status, after.settles], ['settled', late])
  assert.equal((await get(`/v1/settlements/${late}`)).bank_entry_id, after.id)
  assert.equal((await show('TRACEpo_3')).status, 'open')

  const before = await show('TRACEpo_4')
  assert.equal(before.status, 'open')
  const early = await insertSettlement(florin.db, 'po_4', 5_000)
  const match = async () =>
    settleOpenEntries(florin.db, await listUnseenAmounts(florin.db), settleBankEntry)
  assert.deepEqual([await match(), await match()], [1, 0])
  const settled = await get(`/v1/bank_entries/${before.id}`)
  assert.deepEqual([settled.status, settled.settles], ['settled', early])
})

test('a balance without entries before their settlement is complete until the newest', async () => {
  const id = await insertSettlement(florin.db, 'stl_1', 8_180, 'mollie')
  const { rows } = await florin.db.pool.query(
    `select complete_until from balance_imports where provider = 'mollie'`,
  )
  const { created_at } = await get(`/v1/settlements/${id}`)
  assert.deepEqual(rows, [{ complete_until: new Date(created_at) }])
})

test('an unknown settlement is not found', async () => {
  const id = toTypeId('settlement', newUuid(Date.now()))
  for (const path of [`/v1/settlements/${id}`, `/v1/settlements/${id}/entries`]) {
    const { status, body } = await florin.call('GET', path, { token: admin.token })
    assert.deepEqual([status, body.message], [404, 'No settlement with this id exists.'])
  }
})

test('a person matches a bank entry to the settlement that it shows', async () => {
  const bank = new BankFixtures(florin, admin)
  const ids = [await insertSettlement(florin.db, 'po_8', 7_001)]
  ids.push(await insertSettlement(florin.db, 'po_9', 7_001))
  const list = await get('/v1/settlements?amount=7001&currency=EUR')
  assert.deepEqual(list.data.map((row: { id: string }) => row.id).sort(), ids.toSorted())
  assert.deepEqual((await get('/v1/settlements?amount=7001&currency=USD')).data, [])
  const receive = async (signed: number) => {
    const [statement] = await bank.import(fileOf([{ signed, text: 'SAMMELBUCHUNG' }]))
    await bank.settleAll({ settlers: [settleBankEntry] })
    const [entry] = await bank.entriesOf(statement.id)
    assert.equal(entry.status, 'open')
    return entry.id
  }
  const [one, other, short] = [await receive(7_001), await receive(7_001), await receive(7_000)]
  const match = async (entry_id: string, body: object) => {
    const { status, body: found } = await bank.decide(entry_id, 'match', body)
    return [status, found.message ?? found.settles]
  }
  const settlement_id = ids[0]!
  const either =
    'Send one of "payment_id", with "late" if you need it, "settlement_id", "payout_id" and ' +
    '"transaction_id".'
  assert.deepEqual(await match(one, {}), [400, either])
  assert.deepEqual(await match(one, { settlement_id, late: 'keep' }), [400, either])
  assert.deepEqual(await match(short, { settlement_id }), [
    400,
    'The settlement must have the amount of the entry, 7000 EUR; got 7001 EUR.',
  ])
  const unknown = { settlement_id: toTypeId('settlement', newUuid(Date.now())) }
  assert.equal((await match(one, unknown))[0], 404)
  assert.deepEqual(await match(one, { settlement_id, note: 'Confirmed.' }), [200, settlement_id])
  assert.equal((await get(`/v1/settlements/${settlement_id}`)).bank_entry_id, one)
  assert.deepEqual(await match(other, { settlement_id }), [
    409,
    'Another bank entry shows this settlement already.',
  ])
  assert.equal((await match(one, { settlement_id: ids[1] }))[0], 409)
  const owner = await florin.people.owner()
  const denied = await bank.decide(other, 'match', { settlement_id }, { token: owner.token })
  assert.equal(denied.status, 401)
  // Both of them at once: exactly one entry shows the settlement.
  const racing = [
    match(other, { settlement_id: ids[1] }),
    match(await receive(7_001), { settlement_id: ids[1] }),
  ]
  const statuses = (await Promise.all(racing)).map(([status]) => status)
  assert.deepEqual(statuses.sort(), [200, 409])
})

test('a person matches the entry with which the bank takes a settlement back', async () => {
  const bank = new BankFixtures(florin, admin)
  const settlement_id = await insertSettlement(florin.db, 'po_10', 6_002)
  const shown = await bank.receive({ signed: 6_002, text: 'SAMMELBUCHUNG' })
  const back = await bank.receive({ signed: -6_002, text: 'RETOURE' })
  const match = async (id: string) => {
    const { status, body } = await bank.decide(id, 'match', { settlement_id })
    return [status, body.settles ?? body.message.slice(0, 42)]
  }
  assert.deepEqual(await match(back.id), [409, 'The entry takes the settlement back. Match'])
  // The provider lists the failure first.
  await florin.db.pool.query(`update settlements set status = 'failed' where provider_id = 'po_10'`)
  assert.deepEqual(await match(shown.id), [200, settlement_id])
  const differences = async () => {
    await florin.db.pool.query(`update bank_entries set updated_at = now() - interval '1 hour'`)
    const found = (await reconcile(florin.db)).differences
    return found.filter(({ object }) => object.startsWith(settlement_id)).length
  }
  assert.equal(await differences(), 1)
  assert.deepEqual(await match(back.id), [200, settlement_id])
  const { bank_entry_id, returned_entry_id } = await get(`/v1/settlements/${settlement_id}`)
  assert.deepEqual([bank_entry_id, returned_entry_id], [shown.id, back.id])
  assert.equal(await differences(), 0)
  const again = await bank.receive({ signed: -6_002, text: 'RETOURE' })
  assert.equal((await match(again.id))[0], 409)
})
