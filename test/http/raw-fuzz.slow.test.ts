// Requests with damaged bytes: every error response has the standard format, and the server
// keeps running.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startFlorin } from '../support/florin.ts'
import { countRefusals, hashDatabase } from '../support/hash-database.ts'
import { assertErrorShape, sendRaw } from '../support/raw.ts'

const florin = await startFlorin()
const owner = await florin.people.owner()
const seed = Number(process.env.FLORIN_FUZZ_SEED ?? Date.now() % 2 ** 31)

const json = 'Content-Type: application/json\r\n'
const head = `Host: localhost\r\nAuthorization: Bearer ${owner.token}\r\n`
const whole = [
  `GET /v1/account HTTP/1.1\r\n${head}\r\n`,
  `GET /v1/auth/sessions?limit=5 HTTP/1.1\r\n${head}\r\n`,
  `PATCH /v1/account HTTP/1.1\r\n${head}${json}Content-Length: 15\r\n\r\n{"name":"Acme"}`,
  `PATCH /v1/account HTTP/1.1\r\n${head}${json}Transfer-Encoding: chunked\r\n\r\n` +
    '7\r\n{"name"\r\n8;x=y\r\n:"Acme"}\r\n0\r\nTrailer: x\r\n\r\n',
  `POST /v1/users HTTP/1.1\r\nHost: localhost\r\n${json}Content-Length: 2\r\n\r\n{}`,
].map((text) => Buffer.from(text))

interface Damage {
  at: number
  cut: number
  put: Uint8Array
}

const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.integer({ min: 0, max: 3 }),
  put: fc.oneof(
    fc.uint8Array({ maxLength: 4 }),
    fc.constantFrom(
      ...['\r\n', '\n', '\0', ':', ' ', '\t', '%', '\r\n\r\n'].map((t) => Buffer.from(t)),
    ),
  ),
})

function apply(bytes: Buffer, damages: Damage[]): Buffer {
  return damages.reduce((text, { at, cut, put }) => {
    const start = Math.floor(at * text.length)
    return Buffer.concat([text.subarray(0, start), put, text.subarray(start + cut)])
  }, bytes)
}

const damaged = fc
  .tuple(fc.constantFrom(...whole), fc.array(damage, { minLength: 1, maxLength: 3 }))
  .map(([bytes, damages]) => apply(bytes, damages))

/** Sets the name that the undamaged requests send, so that those change nothing. */
async function nameAcme(): Promise<void> {
  const named = { token: owner.token, body: { name: 'Acme' } }
  assert.equal((await florin.call('PATCH', '/v1/account', named)).status, 200)
}

await nameAcme()

test(`damaged requests get a standard error or no response (seed ${seed})`, async (t) => {
  const statuses = new Map<number, number>()
  let untouched = 0
  const batch = fc.array(damaged, { minLength: 20, maxLength: 20 })
  const property = fc.asyncProperty(batch, async (list) => {
    const before = await hashDatabase(florin.db.pool)
    let renamed = false
    let refused = 0
    // Half-close after the last byte, or an incomplete request would wait for the rest.
    const sent = list.map((bytes) => sendRaw(florin.url, bytes, { half_close: true, responses: 9 }))
    for (const [at, responses] of (await Promise.all(sent)).entries()) {
      for (const response of responses) {
        const about = `${response.status} for ${JSON.stringify(list[at]!.toString('latin1'))}`
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
        assert.ok(response.status < 500, about.replaceAll(owner.token, '…'))
        if (response.status >= 400) assertErrorShape(response, about)
        refused += response.status >= 400 ? 1 : 0
        renamed ||= response.status === 200 && ![undefined, 'Acme'].includes(response.body?.name)
      }
    }
    // Damage to the name alone leaves a valid request, which renames the account.
    if (renamed) return nameAcme()
    assert.deepEqual(await hashDatabase(florin.db.pool), before)
    countRefusals(refused)
    untouched += 1
  })
  const outcome = await fc.check(property, { numRuns: 25, seed, endOnFailure: true })
  const fault = outcome.errorInstance as Error | null
  assert.ok(!outcome.failed, `reproduce with FLORIN_FUZZ_SEED=${seed}: ${fault?.message}`)
  t.diagnostic([...statuses].map(([status, n]) => `${n} × ${status}`).join(', '))
  assert.ok((statuses.get(400) ?? 0) >= 50, 'the run covered too little')
  assert.ok(untouched >= 5, `only ${untouched} batches did not rename the account`)
  assert.equal((await florin.call('GET', '/v1/account', { token: owner.token })).status, 200)
})
