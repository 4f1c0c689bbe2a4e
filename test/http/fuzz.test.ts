// No input makes a 5xx: requests made up from our own OpenAPI file, and every answer held against
// it. FLORIN_FUZZ_REQUESTS and FLORIN_FUZZ_SEED choose how many and which.

import assert from 'node:assert/strict'
import { Agent, request as httpRequest } from 'node:http'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { sql } from '../../src/postgres/sql.ts'
import { findUuid } from '../../src/primitives/ids.ts'
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
const seed = Number(process.env.FLORIN_FUZZ_SEED ?? Date.now() % 2 ** 31)
// Enough that a log-in, which hashes, does not hold up the rest of its batch.
const batch_size = 75
const connections = 15

// Before Florin, so that it is gone when Florin waits for its connections to end.
const agent = new Agent({ keepAlive: true, maxSockets: connections })
after(() => agent.destroy())
const florin = await startFlorin()
const description: Json = (await florin.call('GET', '/openapi.json')).body
const operations = operationsOf(description)
const by_name = new Map(operations.map((operation) => [operation.name, operation]))
const judge = responseChecker(description, by_name)

type Who = Exclude<(typeof callers)[number], 'none'>
let people: Record<Who, Person> & { owner: Owner }
const foreign = await florin.people.owner()

let shaken = true
let transaction_id = ''
let payment_id = ''
let subscription_id = ''
let key_id = ''
let event_id = ''
let email_id = ''
let endpoint_id = ''
let delivery_id = ''

/** Pending, until one of the requests ends it. */
async function createTransaction({ token, account_id }: Owner): Promise<string> {
  const body = { account_id, amount: 100, currency: 'USD', type: 'payment' }
  const answer = await florin.call('POST', '/v1/transactions', { token, body })
  return answer.body.id ?? 'txn_01h455vb4pex5vsknk084sn02q'
}

async function createPayment({ token, account_id }: Owner): Promise<string> {
  const body = { account_id, amount: 100, currency: 'USD', customer_email: 'c@example.com' }
  const answer = await florin.call('POST', '/v1/payments', { token, body })
  return answer.body.id ?? 'pay_01h455vb4pex5vsknk084sn02q'
}

/** Asking for money has written one. */
async function newestEmail({ token }: Person): Promise<string> {
  const answer = await florin.call('GET', '/v1/emails?limit=1', { token })
  return answer.body.data?.[0]?.id ?? 'eml_01h455vb4pex5vsknk084sn02q'
}

/** Paused: an active one would keep the account from being closed. */
async function createSubscription({ token }: Owner): Promise<string> {
  const asked = { amount: 100, currency: 'USD', customer_email: 'c@example.com' }
  const body = { ...asked, interval: 'month' }
  const { id } = (await florin.call('POST', '/v1/subscriptions', { token, body })).body
  if (id === undefined) return 'sub_01h455vb4pex5vsknk084sn02q'
  await florin.call('PATCH', `/v1/subscriptions/${id}`, { token, body: { status: 'paused' } })
  return id
}

async function createKey({ token }: Owner): Promise<string> {
  const body = { name: 'A key', scopes: ['*'] }
  const answer = await florin.call('POST', '/v1/api_keys', { token, body })
  return answer.body.id ?? 'key_01h455vb4pex5vsknk084sn02q'
}

/** Nothing is sent: no worker runs here. One account may have twenty, so the old ones go first. */
async function createEndpoint({ token }: Owner): Promise<string> {
  const old = await florin.call('GET', '/v1/webhook_endpoints?limit=100', { token })
  for (const { id } of old.body.data ?? []) {
    await florin.call('DELETE', `/v1/webhook_endpoints/${id}`, { token })
  }
  const body = { url: 'https://example.com/webhooks', events: ['*'] }
  const answer = await florin.call('POST', '/v1/webhook_endpoints', { token, body })
  return answer.body.id ?? 'we_01h455vb4pex5vsknk084sn02q'
}

async function testEndpoint({ token }: Owner): Promise<string> {
  const answer = await florin.call('POST', `/v1/webhook_endpoints/${endpoint_id}/test`, { token })
  return answer.body.id ?? 'wd_01h455vb4pex5vsknk084sn02q'
}

async function newestEvent({ token }: Owner): Promise<string> {
  const answer = await florin.call('GET', '/v1/events?limit=1', { token })
  return answer.body.data?.[0]?.id ?? 'evt_01h455vb4pex5vsknk084sn02q'
}

/**
 * Requests delete, suspend and log out the people who send them. Who only lost the session gets a
 * new one, which costs nothing; who is gone is replaced, which costs a hash.
 */
async function gatherPeople(): Promise<void> {
  if (!shaken) return
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
  transaction_id = await createTransaction(owner)
  payment_id = await createPayment(owner)
  subscription_id = await createSubscription(owner)
  key_id = await createKey(owner)
  event_id = await newestEvent(owner)
  email_id = await newestEmail(admin)
  endpoint_id = await createEndpoint(owner)
  delivery_id = await testEndpoint(owner)
  gathered += 1
  if (gathered % 25 === 1) await endOneOfEach(owner)
  shaken = false
}

/** What has been deleted, canceled or revoked is asked for and changed as if it had not been. */
const ended = new Map<string, string>()
let gathered = 0

async function endOneOfEach(owner: Owner): Promise<void> {
  const { token } = owner
  const end = async (place: string, id: string, method: string, path: string, by = token) => {
    await florin.call(method, path.replace('{}', id), { token: by })
    ended.set(place, id)
  }
  await end('{transaction_id}', await createTransaction(owner), 'DELETE', '/v1/transactions/{}')
  await end('{payment_id}', await createPayment(owner), 'POST', '/v1/payments/{}/cancel')
  await end('{subscription_id}', await createSubscription(owner), 'DELETE', '/v1/subscriptions/{}')
  await end('{key_id}', await createKey(owner), 'DELETE', '/v1/api_keys/{}')
  const { id } = await florin.people.member(owner)
  await end('{user_id}', id, 'DELETE', '/v1/users/{}', people.admin.token)
  // The delivery goes with its endpoint, and both are made anew.
  ended.set('{delivery_id}', delivery_id)
  await end('{endpoint_id}', endpoint_id, 'DELETE', '/v1/webhook_endpoints/{}')
  endpoint_id = await createEndpoint(owner)
  delivery_id = await testEndpoint(owner)
}

/** A request may have suspended it, and then nothing of it could be made or sent any more. */
async function reopen({ account_id }: Owner): Promise<void> {
  const body = { status: 'active' }
  await florin.call('PATCH', `/v1/accounts/${account_id}`, { token: people.admin.token, body })
}

async function keepOr<One extends Person>(one: One | undefined, make: () => Promise<One>) {
  if (one === undefined) return make()
  const { status } = await florin.call('GET', '/v1/auth/sessions', { token: one.token })
  if (status === 200) return one
  const id = findUuid('user', one.id)
  const active = await florin.db.row(sql`
    select 1 from users where id = ${id} and email = ${one.email} and status = 'active'`)
  return active ? { ...one, ...(await florin.people.session(one)) } : make()
}

function idFor(name: string): string {
  if (Object.hasOwn(people, name)) return people[name as Who].id
  if (name === 'account') return people.owner.account_id
  if (name === 'foreign') return foreign.account_id
  if (name === 'unknown') return 'usr_01h455vb4pex5vsknk084sn02q'
  return name
}

/** Where another kind of id belongs, a person stands for the one of that kind at hand. */
function idAt(place: string, name: string): string {
  if (name === 'unknown') return ended.get(place) ?? idFor(name)
  if (!Object.hasOwn(people, name)) return idFor(name)
  if (place === '{transaction_id}') return transaction_id
  if (place === '{payment_id}') return payment_id
  if (place === '{subscription_id}') return subscription_id
  if (place === '{key_id}') return key_id
  if (place === '{event_id}') return event_id
  if (place === '{email_id}') return email_id
  if (place === '{endpoint_id}') return endpoint_id
  if (place === '{delivery_id}') return delivery_id
  return idFor(place === '{account_id}' ? 'account' : name)
}

/** The examples in the description stand for an account and a transaction that exist. */
function withRealIds(text: string): string {
  return text
    .replaceAll('acct_01h455vb4pex5vsknk084sn02q', people.owner.account_id)
    .replaceAll('txn_01h455vb4pex5vsknk084sn02q', transaction_id)
}

/** A machine with too much to do is no fault of the input: whoever is told to come back does. */
async function send(made: FuzzRequest): Promise<FuzzResponse> {
  for (let tries = 1; ; tries++) {
    const answer = await sendOnce(made)
    const comes_back = answer.status === 503 && answer.headers['retry-after'] !== undefined
    if (!comes_back || tries === 5) return answer
    await sleep(1_000)
  }
}

function sendOnce(made: FuzzRequest): Promise<FuzzResponse> {
  const ids = [...made.ids]
  const { path: pattern } = by_name.get(made.operation)!
  const path = pattern.replace(/\{\w+\}/g, (place) => percentEncode(idAt(place, ids.pop()!)))
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
    // Said in either case: with a GET, Node would send a body that nothing announces, and the
    // refusal of what looks like a second request would be the answer to the next.
    if (made.chunked) headers['Transfer-Encoding'] = 'chunked'
    else headers['Content-Length'] = String(Buffer.byteLength(body))
  }
  // Three times as long as any request may take: what is not answered by then hangs.
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
      // A stream has no end: it is heard, and that is enough.
      if (type.startsWith('text/event-stream')) {
        whole()
        response.off('error', reject).on('error', () => {})
        response.destroy()
      }
    })
    // What came in place of an answer is told with the fault.
    request.on('error', (error: Error & { rawPacket?: Buffer }) => {
      const got = error.rawPacket?.toString('latin1', 0, 2_000)
      const sent = JSON.stringify({
        method: made.method,
        path,
        query,
        headers,
        body: body?.slice(0, 500),
      })
      reject(new Error(`${error.message}\n${sent}\ncame back: ${got}`, { cause: error }))
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

test(`no made-up request gets a 5xx or an answer off the schema (seed ${seed})`, async (t) => {
  const tally: Tally = { requests: 0, statuses: new Map(), served: new Set() }
  await sendMadeUp(operations, Math.ceil(requests_min / batch_size), tally)
  // Chance leaves some out. They get requests of their own, until one of those is served.
  for (let tries = 0; tries < 40 && unservedIn(tally).length > 0; tries++) {
    await sendMadeUp(unservedIn(tally), 1, tally, tries + 1)
  }
  const found = [...tally.statuses].sort().map(([status, n]) => `${n} × ${status}`)
  t.diagnostic(`${tally.requests} requests: ${found.join(', ')}`)
  assert.ok(tally.requests >= requests_min)
  for (const status of [200, 201, 400, 401, 403, 404, 405, 409, 413, 415]) {
    assert.ok(tally.statuses.has(status), `no answer was ${status}: the run says too little`)
  }
  t.diagnostic(`${held} refusals were sent again between two hashes`)
  assert.ok(held >= requests_min / 100, `only ${held} refusals were held to changing nothing`)
  const unserved = unservedIn(tally).map(({ name }) => name)
  assert.deepEqual(unserved, [], 'never served: these requests do not fit any longer')
})

// These two need what only a success gives away.
const may_miss = ['POST /v1/auth/login', 'POST /v1/auth/refresh']

function unservedIn(tally: Tally): Operation[] {
  return operations.filter(({ name }) => !tally.served.has(name) && !may_miss.includes(name))
}

const isRefused = ({ status }: FuzzResponse) => status >= 400 && status < 500
// These may leave a mark when they are refused, or wait for one that did.
const marking = /^POST \/v1\/(auth\/|accounts$)/
// Ten times at the least: one that is served the second time says nothing, and of the two of a
// short run both may be such.
const again_every = Math.max(1, Math.min(12, Math.floor(requests_min / batch_size / 10)))
let batches = 0
let held = 0

/** What was refused is sent once more: if it is again, the database is what it was. */
async function sendAgain(list: FuzzRequest[]): Promise<void> {
  await gatherPeople()
  const again = list.filter(({ operation }) => !marking.test(operation))
  const before = await hashDatabase(florin.db.pool)
  const answers = await Promise.all(again.map(send))
  if (!answers.every((answer, at) => again[at]!.method === 'GET' || isRefused(answer))) {
    shaken = true
    return
  }
  assert.deepEqual(await hashDatabase(florin.db.pool), before, 'a refusal changed the database')
  countRefusals(again.length)
  held += again.length
}

async function sendMadeUp(
  chosen: Operation[],
  numRuns: number,
  tally: Tally,
  more = 0,
): Promise<void> {
  const batch = fc.array(fuzzRequest(chosen), { minLength: batch_size, maxLength: batch_size })
  const property = fc
    .asyncProperty(batch, async (list) => {
      const answers = await Promise.all(list.map(send))
      for (const [at, answer] of answers.entries()) {
        recordSecretsIn(answer.body)
        count(tally, list[at]!, answer)
        if (answer.status < 300 && list[at]!.method !== 'GET') shaken = true
        judge(list[at]!, answer)
      }
      batches += 1
      if (batches % again_every !== 0) return
      await sendAgain(list.filter((_, at) => isRefused(answers[at]!)))
    })
    .beforeEach(gatherPeople)
  // Not shrunk: each request changes what the next one finds.
  const outcome = await fc.check(property, { numRuns, seed: seed + more, endOnFailure: true })
  const fault = outcome.errorInstance as Error | null
  assert.ok(!outcome.failed, `FLORIN_FUZZ_SEED=${seed} shows it again: ${fault?.message}`)
}
