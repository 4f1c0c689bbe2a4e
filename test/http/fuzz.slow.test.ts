// No input causes a 5xx: sends requests generated from the OpenAPI document and validates every
// response against it. FLORIN_FUZZ_REQUESTS and FLORIN_FUZZ_SEED set the number and the seed.

import assert from 'node:assert/strict'
import { Agent, request as httpRequest } from 'node:http'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { startFlorin } from '../support/florin.ts'
import { openFuzzFixtures } from '../support/fuzz-fixtures.ts'
import {
  always,
  contentTypeOf,
  type FuzzRequest,
  fuzzRequest,
  type Json,
  type Operation,
  operationsOf,
  percentEncode,
} from '../support/fuzz-requests.ts'
import { type FuzzResponse, responseChecker } from '../support/fuzz-responses.ts'
import { countRefusals, hashDatabase } from '../support/hash-database.ts'
import { recordSecretsIn } from '../support/secrets.ts'
import { test_secret_key } from '../support/totp.ts'

const requests_min = Number(process.env.FLORIN_FUZZ_REQUESTS ?? 10_000)
// Too few for the requirement that every operation is served.
const is_short = requests_min < 1_000
const seed = Number(process.env.FLORIN_FUZZ_SEED ?? Date.now() % 2 ** 31)
// Large enough that a login, which hashes a password, does not delay the rest of its batch.
const batch_size = 75
const connections = 15

// Before Florin, so that it is destroyed before Florin waits for its connections to close.
const agent = new Agent({ keepAlive: true, maxSockets: connections })
after(() => agent.destroy())
const florin = await startFlorin({
  FLORIN_SECRET_KEY: test_secret_key,
  // A host name: passkeys are not available with an IP address.
  FLORIN_PUBLIC_URL: 'http://localhost:4000',
})
const description: Json = (await florin.call('GET', '/openapi.json')).body
const operations = operationsOf(description)
const by_name = new Map(operations.map((operation) => [operation.name, operation]))
const checkResponse = responseChecker(description, by_name)

const fixtures = await openFuzzFixtures(florin)

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
  const operation = by_name.get(made.operation)!
  const { path: pattern } = operation
  const path = pattern.replace(/\{\w+\}/g, (parameter) =>
    percentEncode(fixtures.idAt(pattern, parameter, ids.pop()!)),
  )
  const query = fixtures.withRealIds(made.query).replace(/[^\x21-\x7e]/g, percentEncode)
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(made.headers)) {
    headers[name] = fixtures.idFor(value).replace(/[^\t\x20-\x7e]/g, '')
  }
  const { token } = made
  const body = made.body && fixtures.withRealIds(made.body)
  const access_token = fixtures.tokenOf(token)
  if (access_token !== undefined) headers.Authorization = `Bearer ${access_token}`
  else if (token !== 'none') headers.Authorization = token.replace(/[^\x20-\x7e]/g, '')
  if (body !== undefined) {
    const is_other = made.chunked && body.length % 9 === 0
    headers['Content-Type'] = is_other ? 'text/x' : contentTypeOf(operation)
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
  // Send requests with fitting values to operations that were never served, until they are.
  for (let round = 0; round < 40 && unservedIn(tally).length > 0; round++) {
    // Each time in other states.
    fixtures.needs_refresh = true
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
  // A random text is not an image, the code of an authenticator app, or the signature of a passkey.
  'POST /v1/account/logo',
  'POST /v1/user/factors/totp/confirm',
  'POST /v1/user/factors/passkeys',
  'POST /v1/auth/passkeys/verify',
]

function unservedIn(tally: Tally): Operation[] {
  return operations.filter(({ name }) => !tally.served.has(name) && !may_miss.includes(name))
}

const isRejected = ({ status }: FuzzResponse) => status >= 400 && status < 500
// These may change data even when rejected, or wait for one that did.
const writes_on_error = /^POST \/v1\/(auth\/|accounts$)/
/** A wrong password is counted. */
const countsFailure = ({ body }: FuzzRequest) => body?.includes('"current_password"') === true
// At least ten times: a batch in which a request is served the second time verifies nothing.
const resend_every = Math.max(1, Math.min(12, Math.floor(requests_min / batch_size / 10)))
let batches = 0
let verified = 0

/** Sends rejected requests again: if all are rejected again, the database must not have changed. */
async function sendAgain(list: FuzzRequest[]): Promise<void> {
  await fixtures.refresh()
  const isRepeatable = (made: FuzzRequest) =>
    !writes_on_error.test(made.operation) && !countsFailure(made)
  const again = list.filter(isRepeatable)
  const before = await hashDatabase(florin.db.pool)
  const responses = await Promise.all(again.map(send))
  if (!responses.every((response, at) => again[at]!.method === 'GET' || isRejected(response))) {
    fixtures.needs_refresh = true
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
  const request = more === 0 ? fuzzRequest(chosen) : fuzzRequest(chosen, always)
  const batch = fc.array(request, { minLength: batch_size, maxLength: batch_size })
  const property = fc
    .asyncProperty(batch, async (list) => {
      const responses = await Promise.all(list.map(send))
      for (const [at, response] of responses.entries()) {
        recordSecretsIn(response.body)
        count(tally, list[at]!, response)
        if (response.status < 300 && list[at]!.method !== 'GET') fixtures.needs_refresh = true
        checkResponse(list[at]!, response)
      }
      batches += 1
      if (batches % resend_every !== 0) return
      await sendAgain(list.filter((_, at) => isRejected(responses[at]!)))
    })
    .beforeEach(() => fixtures.refresh())
  // No shrinking: each request changes the state for the next one.
  const outcome = await fc.check(property, { numRuns, seed: seed + more, endOnFailure: true })
  const fault = outcome.errorInstance as Error | null
  assert.ok(!outcome.failed, `reproduce with FLORIN_FUZZ_SEED=${seed}: ${fault?.message}`)
}
