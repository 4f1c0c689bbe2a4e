// Statements that the tests of citus-statements.ts send rarely or not at all, on a Citus cluster:
// of `florin seed`, `florin doctor`, setup links, differences of `florin verify`, accounts that are
// being closed, and limits.

import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { checkDatabase } from '../../src/cli/serve/check-database.ts'
import { readConfig } from '../../src/config.ts'
import { enableEmailDelivery } from '../../src/email/outbox.ts'
import { operator } from '../../src/identity/sessions/actor.ts'
import {
  createSetupLink,
  findSetupState,
  isSetupLink,
} from '../../src/identity/users/create-admin.ts'
import { lockAccountIfExists } from '../../src/ledger/account-lock.ts'
import { cleanUpSlice } from '../../src/operations/clean-up.ts'
import { closeLocked } from '../../src/operations/close-account.ts'
import { seedDatabase } from '../../src/operations/seeding/seed-database.ts'
import { verifyDatabase } from '../../src/operations/verify-database.ts'
import { moveClock } from '../../src/postgres/clock.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { queueOne, sendRound, smtpTransportFor } from '../email/outbox.ts'
import { ask } from '../support/ask.ts'
import { distributedDatabase, without_citus } from '../support/citus.ts'
import { type SecondServer, serveOn } from '../support/florin.ts'
import { assertVerifyPasses, checkInvariants } from '../support/invariants.ts'
import { type Owner, People } from '../support/people.ts'
import { newPassword } from '../support/secrets.ts'
import { startSmtpServer } from '../support/smtp-server.ts'
import { startSink } from '../webhooks/sink.ts'

const options = { skip: without_citus }
const database = without_citus ? undefined : await distributedDatabase()
after(() => database?.drop())

/** A server, whose rows must be consistent at the end of the test. */
async function serve(t: TestContext) {
  const florin = await serveOn(database!.connection)
  t.after(async () => {
    try {
      await checkInvariants(florin.db.pool)
      await assertVerifyPasses(florin.db)
    } finally {
      await florin.close()
    }
  })
  return { florin, db: florin.db, people: new People(florin.db) }
}

async function send(
  florin: SecondServer,
  { token }: { token: string },
  path: string,
  body?: object,
  key?: string,
) {
  const headers = key === undefined ? {} : { 'idempotency-key': key }
  const method = body === undefined ? 'GET' : 'POST'
  const sent = await florin.call(method, path, { token, headers, ...(body && { body }) })
  assert.ok(sent.status < 300, `${method} ${path}: ${sent.text}`)
  return sent.body
}

function pay(florin: SecondServer, owner: Owner, at: number) {
  const { account_id } = owner
  const body = { account_id, amount: 5 + at, currency: 'USD', type: 'payment' }
  return send(florin, owner, '/v1/transactions', body, `payment ${at}`)
}

test('setup links, florin seed and florin doctor', options, async (t) => {
  const { florin, db } = await serve(t)
  assert.equal(await findSetupState(db), 'no_link')
  const first = await createSetupLink(db)
  await createSetupLink(db, { additional: true })
  assert.deepEqual([await findSetupState(db), await isSetupLink(db, first!)], ['link', true])
  await createSetupLink(db)
  assert.equal(await isSetupLink(db, first!), false)

  const seeding = openDatabase(database!.connection, { no_timeouts: true })
  const plan = { accounts: 4, transactions: 80, seed: 'rare', all_events: true }
  await seedDatabase(seeding, { ...plan, password: newPassword() }, () => {})
  await seeding.close()

  const config = readConfig({ DATABASE_URL: database!.connection.connectionString! })
  const findings = await checkDatabase(config)
  assert.equal(findings.find(({ check }) => check === 'Citus')?.state, 'ok')
  assert.equal((await florin.call('GET', '/readyz')).status, 200)
})

test('stored responses of a batch, and lookups by id in all accounts', options, async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const { florin, people } = await serve(t)
  const admin = await people.admin()
  const owner = await people.owner()
  const payments = await Promise.all(Array.from({ length: 20 }, (_, at) => pay(florin, owner, at)))
  const again = await pay(florin, owner, 3)
  assert.deepEqual(again, payments[3])

  const endpoint = { url: sink.url, events: ['transaction.*'] }
  const { id } = await send(florin, owner, '/v1/webhook_endpoints', endpoint)
  const delivery = await send(florin, owner, `/v1/webhook_endpoints/${id}/test`, {})
  const money = { account_id: owner.account_id, amount: 700, currency: 'USD' }
  const request = { ...money, customer_email: 'ann@example.com' }
  const payment = await send(florin, owner, '/v1/payments', request)
  const attempts = await send(florin, owner, `/v1/payments/${payment.id}/attempts`)
  assert.deepEqual(attempts.data, [])
  const customers = await send(florin, owner, '/v1/customers')
  for (const known of [id, delivery.id, customers.data[0].id]) {
    const found = await send(florin, admin, `/v1/search?q=${known}`)
    assert.deepEqual([found.data.length, found.data[0]?.id], [1, known])
  }
  const details = await send(florin, admin, `/v1/user_details?user_ids=${owner.id},${admin.id}`)
  assert.equal(details.data.length, 2)
})

test('an account that is being closed, in several slices', options, async (t) => {
  const { florin, db, people } = await serve(t)
  const admin = await people.admin()
  const owner = await people.owner()
  const member = await people.member(owner)
  const account_id = findUuid('account', owner.account_id)!
  await Promise.all(Array.from({ length: 201 }, (_, at) => pay(florin, owner, at)))
  const users = async () =>
    (await send(florin, admin, '/v1/users')).pagination.total_records as number
  const before = await users()
  await db.transaction(async (tx) => {
    const lock = await lockAccountIfExists(tx, account_id)
    await closeLocked(tx, operator, lock!)
  })
  assert.equal(await users(), before - 2)
  // The address of the member is free, although its user still exists.
  const input = { email: member.email, password: newPassword(), name: 'Ann' }
  const created = await florin.call('POST', '/v1/users', { token: admin.token, body: input })
  assert.equal(created.status, 201, created.text)
  let slices = 1
  while (await cleanUpSlice({ db, public_url: 'https://pay.example.com' }, account_id)) slices++
  assert.ok(slices > 1, `${slices} slices`)
})

test('florin verify names the rows of a difference', options, async (t) => {
  const { florin, db, people } = await serve(t)
  const owner = await people.owner()
  const { id } = await pay(florin, owner, 1)
  await db.transaction((tx) => moveClock(tx, 3_600_000))
  const change = (from: string, to: string) =>
    ask(
      database!.connection,
      `update postings set movement = '${to}' where movement = '${from}'
         and account_id = '${findUuid('account', owner.account_id)}'`,
    )
  await change('arrive', 'withdraw')
  const found: string[] = []
  await verifyDatabase(db, { onDifference: ({ rule, object }) => found.push(`${rule} ${object}`) })
  await change('withdraw', 'arrive')
  assert.ok(found.includes(`disputes_have_their_postings ${id}`), found.join('\n'))
  assert.ok(found.includes(`states_have_their_postings ${id}`), found.join('\n'))
})

test('limits of emails to one inbox and of new recipients', options, async (t) => {
  const smtp = await startSmtpServer()
  const transport = smtpTransportFor(smtp)
  t.after(async () => {
    transport.disconnect()
    await smtp.stop()
  })
  const { db, people } = await serve(t)
  await enableEmailDelivery(db)
  const owners = await Promise.all(Array.from({ length: 22 }, () => people.owner()))
  const request = { kind: 'payment_request', to: 'bob@example.com' } as const
  for (const owner of owners) {
    await queueOne(db, { ...request, account_id: findUuid('account', owner.account_id)! })
  }
  while ((await sendRound(db, transport)) > 0);
  const { rows } = await db.pool.query(
    `select state, count(*)::int as n from emails where recipient = $1 group by 1 order by 1`,
    [request.to],
  )
  assert.deepEqual(rows, [
    { state: 'queued', n: 2 },
    { state: 'sent', n: 20 },
  ])
})
