// Bank transfers, payouts, refunds and transfers between accounts on a Citus cluster: each change
// of an account is a transaction of its shard. Only audit entries and payment files, which are
// rows of the coordinator, need two-phase commit.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { openDatabase } from '../../src/postgres/database.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { openProcessor } from '../../src/processors/processor.ts'
import { jobsOf } from '../../src/worker-jobs.ts'
import { fileOf } from '../bank-statements/bank-fixtures.ts'
import { distributedDatabase, without_citus } from '../support/citus.ts'
import { countShards, measure } from '../support/citus-counters.ts'
import type { SecondServer } from '../support/florin.ts'
import { assertVerifyPasses, checkInvariants } from '../support/invariants.ts'
import { People, type Person } from '../support/people.ts'
import { debtor, iban } from './payout-fixtures.ts'

const database = without_citus ? undefined : await distributedDatabase()
after(() => database?.drop())

type Call = [who: Person, method: string, path: string, body?: object | string]

/** Sends them at once. Returns the bodies of the responses. */
function callAll(florin: SecondServer, calls: Call[]) {
  return Promise.all(
    calls.map(async ([{ token }, method, path, body], at) => {
      const is_file = typeof body === 'string'
      const headers = is_file
        ? { 'content-type': 'application/octet-stream' }
        : { 'idempotency-key': `${method} ${path} ${at}` }
      const sent = await florin.call(method, path, { token, headers, ...(body && { body }) })
      assert.ok(sent.status < 300, `${method} ${path}: ${sent.text}`)
      return sent.body
    }),
  )
}

/** One round of a job of the worker. Returns how many rows it has changed. */
async function runJob({ db, config }: SecondServer, name: string): Promise<number> {
  const warnings: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => warnings.push(line) })
  const jobs = jobsOf({ db, log, config, processor: await openProcessor(config) })
  const { signal } = new AbortController()
  const job = jobs.find((one) => one.name === name)!
  const { done } = await job.run(db, { slots: [...Array(16).keys()], signal })
  assert.deepEqual(warnings, [])
  return done
}

test('money by bank, payouts, refunds and transfers need no two phases', {
  skip: without_citus,
}, async () => {
  const on = database!
  await countShards(on)
  const setup = openDatabase(on.connection)
  const people = new People(setup)
  const admin = await people.admin()
  const owners = await Promise.all(Array.from({ length: 12 }, () => people.owner()))
  const keys = owners.map((one) => ({ account_id: findUuid('account', one.account_id)! }))
  const shards = setup.shards.split(keys)
  assert.ok(shards.length > 1, 'accounts of several shards')
  await setup.close()
  const count = owners.length
  const each = (call: (at: number) => Call) => owners.map((_, at) => call(at))
  const send = (at: number, path: string, body: object): Call => [owners[at]!, 'POST', path, body]
  const money = { currency: 'EUR' }
  const ids = (bodies: { id: string }[]) => bodies.map(({ id }) => id)
  const upload = (signed: number, texts: string[]): Call => {
    const entries = texts.map((text) => ({ signed, text }))
    return [admin, 'POST', '/v1/bank_statements', fileOf(entries)]
  }

  await measure(on, async (florin) => {
    const settings = { settings: money }
    await callAll(
      florin,
      each((at) => [owners[at]!, 'PATCH', '/v1/account', settings]),
    )
    const to = { name: 'Acme Ltd', iban }
    const path = '/v1/account/payout_destination'
    await callAll(
      florin,
      each((at) => [owners[at]!, 'PATCH', path, to]),
    )
    for (const [at, { account_id }] of owners.entries()) {
      const { account_id: fee_account_id } = owners[(at + 2) % count]!
      const body = { fee_account_id, basis_points: 0, fixed_amount: 10 }
      const headers = { 'florin-account': account_id }
      const options = { token: admin.token, headers, body }
      const { status, text } = await florin.call('POST', '/v1/account/transfer_fee', options)
      assert.equal(status, 200, text)
    }
    const request = { ...money, amount: 1_000, customer_email: 'ann@example.com' }
    const requests = await callAll(
      florin,
      each((at) => send(at, '/v1/payments', { ...request, account_id: owners[at]!.account_id })),
    )
    await callAll(florin, [upload(1_000, ids(requests))])
  })
  const received = await measure(on, async (florin) => {
    assert.equal(await runJob(florin, 'settle_bank_entries'), count)
  })
  assert.equal(received.prepared, 0)

  let payments: string[] = []
  await measure(on, async (florin) => {
    const lists = await callAll(
      florin,
      each((at) => [owners[at]!, 'GET', '/v1/transactions']),
    )
    payments = lists.map(({ data }) => data[0].id)
  })

  let payouts: string[] = []
  let refunds: string[] = []
  const created = await measure(on, async (florin) => {
    payouts = ids(
      await callAll(
        florin,
        each((at) => send(at, '/v1/payouts', { amount: 300 })),
      ),
    )
    refunds = ids(
      await callAll(
        florin,
        each((at) => {
          const reference = payments[at]
          const { account_id } = owners[at]!
          const refund = { ...money, account_id, type: 'refund', amount: 100, reference }
          return send(at, '/v1/transactions', refund)
        }),
      ),
    )
    // To the next account, with a fee for the one after it. Some of them are in other shards.
    await callAll(
      florin,
      each((at) => {
        const { account_id: to_account_id } = owners[(at + 1) % count]!
        return send(at, '/v1/transfers', { ...money, to_account_id, amount: 200 })
      }),
    )
  })
  assert.deepEqual([created.multi, created.prepared], [0, 0])

  // The debit is committed in the shard of the source, and the credit in that of the target.
  const completed = await measure(on, async (florin) => {
    assert.equal(await runJob(florin, 'complete_transfers'), count)
  })
  assert.equal(completed.prepared, 0)

  await measure(on, async (florin) => {
    await callAll(
      florin,
      payouts.map((id) => [admin, 'POST', `/v1/payouts/${id}/approve`, {}]),
    )
    const body = { ...money, debtor }
    const [file] = await callAll(florin, [[admin, 'POST', '/v1/payout_exports', body]])
    assert.deepEqual([file.payouts, file.refunds, file.amount], [count, count, 400 * count])
    await callAll(florin, [upload(-300, payouts), upload(-100, refunds)])
  })
  const paid = await measure(on, async (florin) => {
    assert.equal(await runJob(florin, 'settle_bank_entries'), 2 * count)
  })
  assert.equal(paid.prepared, 0)

  const db = openDatabase(on.connection)
  const { rows } = await db.pool.query(
    'select available::int, held::int, count(*)::int as n from balances group by 1, 2',
  )
  // Every account sends what it receives.
  assert.deepEqual(rows, [{ available: 600, held: 0, n: count }])
  await checkInvariants(db.pool)
  await assertVerifyPasses(db)
  await db.close()
})
