// No input causes a 5xx: sends requests generated from the OpenAPI document and validates every
// response against it. FLORIN_FUZZ_REQUESTS and FLORIN_FUZZ_SEED set the number and the seed.

import assert from 'node:assert/strict'
import { Agent, request as httpRequest } from 'node:http'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { sql } from '../../src/postgres/sql.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { DisputeFixtures } from '../disputes/dispute-fixtures.ts'
import { startFlorin } from '../support/florin.ts'
import {
  type callers,
  type FuzzRequest,
  fuzzRequest,
  type Json,
  type Operation,
  operationsOf,
  percentEncode,
} from '../support/fuzz-requests.ts'
import { type FuzzResponse, responseChecker } from '../support/fuzz-responses.ts'
import { countRefusals, hashDatabase } from '../support/hash-database.ts'
import type { Owner, Person } from '../support/people.ts'
import { recordSecretsIn } from '../support/secrets.ts'

const requests_min = Number(process.env.FLORIN_FUZZ_REQUESTS ?? 20_000)
// Too few for the requirement that every operation is served.
const is_short = requests_min < 1_000
const seed = Number(process.env.FLORIN_FUZZ_SEED ?? Date.now() % 2 ** 31)
// Large enough that a login, which hashes a password, does not delay the rest of its batch.
const batch_size = 75
const connections = 15

// Before Florin, so that it is destroyed before Florin waits for its connections to close.
const agent = new Agent({ keepAlive: true, maxSockets: connections })
after(() => agent.destroy())
const florin = await startFlorin()
const description: Json = (await florin.call('GET', '/openapi.json')).body
const operations = operationsOf(description)
const by_name = new Map(operations.map((operation) => [operation.name, operation]))
const checkResponse = responseChecker(description, by_name)

type Who = Exclude<(typeof callers)[number], 'none'>
let people: Record<Who, Person> & { owner: Owner }
const foreign = await florin.people.owner()

let needs_refresh = true
let transaction_id = ''
let payment_id = ''
let subscription_id = ''
let customer_id = ''
let link_id = ''
let dispute_id = ''
let key_id = ''
let event_id = ''
let email_id = ''
let endpoint_id = ''
let delivery_id = ''

/** Pending until one of the requests ends it. */
async function createTransaction({ token, account_id }: Owner): Promise<string> {
  const body = { account_id, amount: 100, currency: 'USD', type: 'payment' }
  const response = await florin.call('POST', '/v1/transactions', { token, body })
  return response.body.id ?? 'txn_01h455vb4pex5vsknk084sn02q'
}

async function createPayment({ token, account_id }: Owner): Promise<string> {
  const body = { account_id, amount: 100, currency: 'USD', customer_email: 'c@example.com' }
  const response = await florin.call('POST', '/v1/payments', { token, body })
  return response.body.id ?? 'pay_01h455vb4pex5vsknk084sn02q'
}

/** The account may have another currency now, and then has no new dispute. */
async function createDispute(admin: Person, owner: Owner) {
  const unknown = { id: 'dsp_01h455vb4pex5vsknk084sn02q', transaction_id }
  return new DisputeFixtures(florin, admin).dispute(owner).catch(() => unknown)
}

async function createLink({ token }: Owner): Promise<string> {
  const body = { title: 'Tip', amount_min: 100, amount_max: 900 }
  const response = await florin.call('POST', '/v1/payment_links', { token, body })
  return response.body.id ?? 'lnk_01h455vb4pex5vsknk084sn02q'
}

/** Paused, because an active subscription would keep the account from being closed. */
async function createSubscription({ token }: Owner): Promise<string> {
  const fields = { amount: 100, currency: 'USD', customer_email: 'c@example.com' }
  const body = { ...fields, interval: 'month' }
  const { id } = (await florin.call('POST', '/v1/subscriptions', { token, body })).body
  if (id === undefined) return 'sub_01h455vb4pex5vsknk084sn02q'
  await florin.call('PATCH', `/v1/subscriptions/${id}`, { token, body: { status: 'paused' } })
  return id
}

/** The newest object of a list; an unknown id if there is none. */
async function newest({ token }: Person, list: string, prefix: string): Promise<string> {
  const response = await florin.call('GET', `/v1/${list}?limit=1`, { token })
  return response.body.data?.[0]?.id ?? `${prefix}_01h455vb4pex5vsknk084sn02q`
}

async function createKey({ token }: Owner): Promise<string> {
  const body = { name: 'A key', scopes: ['*'] }
  const response = await florin.call('POST', '/v1/api_keys', { token, body })
  return response.body.id ?? 'key_01h455vb4pex5vsknk084sn02q'
}

/**
 * Nothing is sent, because no worker runs here. Deletes old endpoints first: an account may have
 * twenty.
 */
async function createEndpoint({ token }: Owner): Promise<string> {
  const old = await florin.call('GET', '/v1/webhook_endpoints?limit=100', { token })
  for (const { id } of old.body.data ?? []) {
    await florin.call('DELETE', `/v1/webhook_endpoints/${id}`, { token })
  }
  const body = { url: 'https://example.com/webhooks', events: ['*'] }
  const response = await florin.call('POST', '/v1/webhook_endpoints', { token, body })
  return response.body.id ?? 'we_01h455vb4pex5vsknk084sn02q'
}

async function testEndpoint({ token }: Owner): Promise<string> {
  const response = await florin.call('POST', `/v1/webhook_endpoints/${endpoint_id}/test`, { token })
  return response.body.id ?? 'wd_01h455vb4pex5vsknk084sn02q'
}

/**
 * Requests delete, suspend and log out the users who send them. A user without a session gets a
 * new one, which is cheap; a deleted user is replaced, which costs a password hash.
 */
async function refreshFixtures(): Promise<void> {
  if (!needs_refresh) return
  const make = florin.people
  const [admin, platform, owner, lone] = await Promise.all([
    keepOr(people?.admin, () => make.admin()),
    keepOr(people?.platform, () => make.platform()),
    keepOr(people?.owner, () => make.owner()),
    keepOr(people?.lone, () => make.lone()),
  ])
  const colleague = owner.id === people?.owner.id ? people.member : undefined
  const member = await keepOr(colleague, () => make.member(owner))
  people = { admin, platform, owner, lone, member }
  await reopen(owner)
  // A disputed payment has a charge; a pending one can be settled and canceled.
  const disputed = await createDispute(admin, owner)
  dispute_id = disputed.id
  transaction_id = refreshes % 2 === 0 ? await createTransaction(owner) : disputed.transaction_id
  payment_id = await createPayment(owner)
  subscription_id = await createSubscription(owner)
  customer_id = await newest(owner, 'customers', 'cus')
  link_id = await createLink(owner)
  key_id = await createKey(owner)
  event_id = await newest(owner, 'events', 'evt')
  email_id = await newest(admin, 'emails', 'eml')
  endpoint_id = await createEndpoint(owner)
  delivery_id = await testEndpoint(owner)
  refreshes += 1
  if (refreshes % 25 === 1) await endOneOfEach(owner)
  needs_refresh = false
}

/**
 * Deleted, canceled and revoked objects, which later requests read and change as if they
 * existed.
 */
const ended = new Map<string, string>()
let refreshes = 0

async function endOneOfEach(owner: Owner): Promise<void> {
  const { token } = owner
  const end = async (parameter: string, id: string, method: string, path: string, by = token) => {
    await florin.call(method, path.replace('{}', id), { token: by })
    ended.set(parameter, id)
  }
  await end('{transaction_id}', await createTransaction(owner), 'DELETE', '/v1/transactions/{}')
  await end('{payment_id}', await createPayment(owner), 'POST', '/v1/payments/{}/cancel')
  await end('{subscription_id}', await createSubscription(owner), 'DELETE', '/v1/subscriptions/{}')
  await end('{key_id}', await createKey(owner), 'DELETE', '/v1/api_keys/{}')
  const { id } = await florin.people.member(owner)
  await end('{user_id}', id, 'DELETE', '/v1/users/{}', people.admin.token)
  // The delivery is deleted with its endpoint, and both are created again.
  ended.set('{delivery_id}', delivery_id)
  await end('{endpoint_id}', endpoint_id, 'DELETE', '/v1/webhook_endpoints/{}')
  endpoint_id = await createEndpoint(owner)
  delivery_id = await testEndpoint(owner)
}

/** A request may have suspended the account, which then could not create or send anything. */
async function reopen({ account_id }: Owner): Promise<void> {
  const body = { status: 'active' }
  await florin.call('PATCH', `/v1/accounts/${account_id}`, { token: people.admin.token, body })
}

async function keepOr<Kind extends Person>(person: Kind | undefined, make: () => Promise<Kind>) {
  if (person === undefined) return make()
  const { status } = await florin.call('GET', '/v1/auth/sessions', { token: person.token })
  if (status === 200) return person
  const id = findUuid('user', person.id)
  const active = await florin.db.row(sql`
    select 1 from users where id = ${id} and email = ${person.email} and status = 'active'`)
  return active ? { ...person, ...(await florin.people.session(person)) } : make()
}

function idFor(name: string): string {
  if (Object.hasOwn(people, name)) return people[name as Who].id
  if (name === 'account') return people.owner.account_id
  if (name === 'foreign') return foreign.account_id
  if (name === 'unknown') return 'usr_01h455vb4pex5vsknk084sn02q'
  return name
}

/** For a parameter of another kind, a person's name selects the current object of that kind. */
function idAt(parameter: string, name: string): string {
  if (name === 'unknown') return ended.get(parameter) ?? idFor(name)
  if (!Object.hasOwn(people, name)) return idFor(name)
  if (parameter === '{transaction_id}') return transaction_id
  if (parameter === '{payment_id}') return payment_id
  if (parameter === '{subscription_id}') return subscription_id
  if (parameter === '{customer_id}') return customer_id
  if (parameter === '{payment_link_id}') return link_id
  if (parameter === '{dispute_id}') return dispute_id
  if (parameter === '{key_id}') return key_id
  if (parameter === '{event_id}') return event_id
  if (parameter === '{email_id}') return email_id
  if (parameter === '{endpoint_id}') return endpoint_id
  if (parameter === '{delivery_id}') return delivery_id
  return idFor(parameter === '{account_id}' ? 'account' : name)
}

/**
 * Replaces the example ids of the OpenAPI document with an account and a transaction that exist.
 */
function withRealIds(text: string): string {
  return text
    .replaceAll('acct_01h455vb4pex5vsknk084sn02q', people.owner.account_id)
    .replaceAll('txn_01h455vb4pex5vsknk084sn02q', transaction_id)
}

/** An overloaded machine is not a problem of the input: retries a 503 with Retry-After. */
async function send(made: FuzzRequest): Promise<FuzzResponse> {
  for (let attempt = 1; ; attempt++) {
    const response = await sendOnce(made)
    const may_retry = response.status === 503 && response.headers['retry-after'] !== undefined
    if (!may_retry || attempt === 5) return response
    await sleep(1_000)
  }
}

function sendOnce(made: FuzzRequest): Promise<FuzzResponse> {
  const ids = [...made.ids]
  const { path: pattern } = by_name.get(made.operation)!
  const path = pattern.replace(/\{\w+\}/g, (parameter) =>
    percentEncode(idAt(parameter, ids.pop()!)),
  )
  const query = withRealIds(made.query).replace(/[^\x21-\x7e]/g, percentEncode)
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(made.headers)) {
    headers[name] = idFor(value).replace(/[^\t\x20-\x7e]/g, '')
  }
  const { token } = made
  const body = made.body && withRealIds(made.body)
  if (Object.hasOwn(people, token)) headers.Authorization = `Bearer ${people[token as Who].token}`
  else if (token !== 'none') headers.Authorization = token.replace(/[^\x20-\x7e]/g, '')
  if (body !== undefined) {
    headers['Content-Type'] = made.chunked && body.length % 9 === 0 ? 'text/x' : 'application/json'
    // Always announce the body. With a GET, Node would send it unannounced, the server would
    // parse it as a second request, and its error would become the response to the next one.
    if (made.chunked) headers['Transfer-Encoding'] = 'chunked'
    else headers['Content-Length'] = String(Buffer.byteLength(body))
  }
  // Three times the deadline of a request: one without a response by then hangs.
  const signal = AbortSignal.timeout(30_000)
  const options = { agent, method: made.method, path: `${path}?${query}`, headers, signal }
  return new Promise((resolve, reject) => {
    const request = httpRequest(florin.url, options, (response) => {
      const chunks: Buffer[] = []
      const type = String(response.headers['content-type'])
      const whole = () => {
        const text = Buffer.concat(chunks).toString()
        const json = type.startsWith('application/json')
        resolve({
          status: response.statusCode!,
          headers: response.headers as Record<string, string>,
          text,
          body: json && text !== '' ? JSON.parse(text) : undefined,
        })
      }
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', whole)
      // A stream has no end: receiving its head is enough.
      if (type.startsWith('text/event-stream')) {
        whole()
        response.off('error', reject).on('error', () => {})
        response.destroy()
      }
    })
    // Report the bytes received instead of a response.
    request.on('error', (error: Error & { rawPacket?: Buffer }) => {
      const got = error.rawPacket?.toString('latin1', 0, 2_000)
      const sent = JSON.stringify({
        method: made.method,
        path,
        query,
        headers,
        body: body?.slice(0, 500),
      })
      reject(new Error(`${error.message}\n${sent}\nreceived: ${got}`, { cause: error }))
    })
    request.end(body)
  })
}

interface Tally {
  requests: number
  statuses: Map<number, number>
  served: Set<string>
}

function count(tally: Tally, made: FuzzRequest, { status }: FuzzResponse): void {
  tally.requests += 1
  tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
  if (status < 300) tally.served.add(made.operation)
}

test(`no generated request gets a 5xx or a response off the schema (seed ${seed})`, async (t) => {
  const tally: Tally = { requests: 0, statuses: new Map(), served: new Set() }
  await sendGenerated(operations, Math.ceil(requests_min / batch_size), tally)
  const found = () => [...tally.statuses].sort().map(([status, n]) => `${n} × ${status}`)
  if (is_short) return t.diagnostic(`${tally.requests} requests: ${found().join(', ')}`)
  // Send more requests to operations that were never served, until one of them is.
  for (let round = 0; round < 40 && unservedIn(tally).length > 0; round++) {
    await sendGenerated(unservedIn(tally), 1, tally, round + 1)
  }
  t.diagnostic(`${tally.requests} requests: ${found().join(', ')}`)
  assert.ok(tally.requests >= requests_min)
  for (const status of [200, 201, 400, 401, 403, 404, 405, 409, 413, 415]) {
    assert.ok(tally.statuses.has(status), `no response was ${status}: the run covered too little`)
  }
  t.diagnostic(`${verified} rejected requests were sent again between two hashes`)
  assert.ok(verified >= requests_min / 100, `only ${verified} rejected requests were verified`)
  const unserved = unservedIn(tally).map(({ name }) => name)
  assert.deepEqual(unserved, [], 'never served: the generated requests no longer fit')
})

// These need values that only a success returns.
const may_miss = [
  'POST /v1/auth/login',
  'POST /v1/auth/refresh',
  'DELETE /v1/account/return_origins',
  // A random text is not an image.
  'POST /v1/account/logo',
]

function unservedIn(tally: Tally): Operation[] {
  return operations.filter(({ name }) => !tally.served.has(name) && !may_miss.includes(name))
}

const isRejected = ({ status }: FuzzResponse) => status >= 400 && status < 500
// These may change data even when rejected, or wait for one that did.
const writes_on_error = /^POST \/v1\/(auth\/|accounts$)/
// At least ten times: a batch in which a request is served the second time verifies nothing.
const resend_every = Math.max(1, Math.min(12, Math.floor(requests_min / batch_size / 10)))
let batches = 0
let verified = 0

/** Sends rejected requests again: if all are rejected again, the database must not have changed. */
async function sendAgain(list: FuzzRequest[]): Promise<void> {
  await refreshFixtures()
  const again = list.filter(({ operation }) => !writes_on_error.test(operation))
  const before = await hashDatabase(florin.db.pool)
  const responses = await Promise.all(again.map(send))
  if (!responses.every((response, at) => again[at]!.method === 'GET' || isRejected(response))) {
    needs_refresh = true
    return
  }
  assert.deepEqual(await hashDatabase(florin.db.pool), before, 'an error changed the database')
  countRefusals(again.length)
  verified += again.length
}

async function sendGenerated(
  chosen: Operation[],
  numRuns: number,
  tally: Tally,
  more = 0,
): Promise<void> {
  const batch = fc.array(fuzzRequest(chosen), { minLength: batch_size, maxLength: batch_size })
  const property = fc
    .asyncProperty(batch, async (list) => {
      const responses = await Promise.all(list.map(send))
      for (const [at, response] of responses.entries()) {
        recordSecretsIn(response.body)
        count(tally, list[at]!, response)
        if (response.status < 300 && list[at]!.method !== 'GET') needs_refresh = true
        checkResponse(list[at]!, response)
      }
      batches += 1
      if (batches % resend_every !== 0) return
      await sendAgain(list.filter((_, at) => isRejected(responses[at]!)))
    })
    .beforeEach(refreshFixtures)
  // No shrinking: each request changes the state for the next one.
  const outcome = await fc.check(property, { numRuns, seed: seed + more, endOnFailure: true })
  const fault = outcome.errorInstance as Error | null
  assert.ok(!outcome.failed, `reproduce with FLORIN_FUZZ_SEED=${seed}: ${fault?.message}`)
}
