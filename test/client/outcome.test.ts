// The rule for "was it sent, did it happen?" as a table: each failure and its verdict.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createServer } from 'node:tls'
import { Florin, FlorinError, type FlorinErrorCode } from '../../client/src/florin.ts'
import { verdictOf, withOutcome } from '../../client/src/outcome.ts'
import { findFreePort } from '../support/free-port.ts'
import { certificate, key } from '../support/localhost-certificate.ts'

type Row = [failure: string, error: FlorinError, outcome: string, retry: boolean]

/** The error of Node.js: "fetch failed" with the reason as its cause. */
const failed = (reason?: object) =>
  new FlorinError('connection_failed', 'Failed.', {
    cause: new TypeError('fetch failed', reason && { cause: Object.assign(new Error(), reason) }),
  })

const response = (status: number, code: FlorinErrorCode) => new FlorinError(code, 'No.', { status })

const refused_address = { code: 'ECONNREFUSED', syscall: 'connect' }
const slow_address = { code: 'ETIMEDOUT', syscall: 'connect' }
const reset = { code: 'ECONNRESET', syscall: 'read' }

const table: Row[] = [
  ['connection refused', failed({ code: 'ECONNREFUSED' }), 'not_sent', true],
  ['unknown host', failed({ code: 'ENOTFOUND', syscall: 'getaddrinfo' }), 'not_sent', true],
  ['DNS failure', failed({ code: 'EAI_AGAIN' }), 'not_sent', true],
  ['no route', failed({ code: 'EHOSTUNREACH', syscall: 'connect' }), 'not_sent', true],
  ['connect timeout of undici', failed({ code: 'UND_ERR_CONNECT_TIMEOUT' }), 'not_sent', true],
  ['all addresses fail', failed({ errors: [refused_address, slow_address] }), 'not_sent', true],
  ['expired certificate', failed({ code: 'CERT_HAS_EXPIRED' }), 'not_sent', true],
  ['self-signed', failed({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), 'not_sent', true],
  ['unknown issuer', failed({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }), 'not_sent', true],
  ['wrong host name', failed({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }), 'not_sent', true],
  ['connection reset', failed(reset), 'unknown', true],
  ['one of two reset', failed({ errors: [refused_address, reset] }), 'unknown', true],
  ['host lost later', failed({ code: 'EHOSTUNREACH', syscall: 'read' }), 'unknown', true],
  ['closed by the server', failed({ code: 'UND_ERR_SOCKET' }), 'unknown', true],
  ['no headers in time', failed({ code: 'UND_ERR_HEADERS_TIMEOUT' }), 'unknown', true],
  ['browsers give no reason', failed(), 'unknown', true],
  ['timeout', new FlorinError('timed_out', 'Late.'), 'unknown', true],
  ['busy, or outcome unknown', response(503, 'unavailable'), 'unknown', true],
  ['bug in Florin', response(500, 'internal_error'), 'unknown', false],
  ['error of a proxy', response(500, 'unexpected_response'), 'unknown', false],
  ['bad gateway', response(502, 'unexpected_response'), 'unknown', true],
  ['gateway timeout', response(504, 'unexpected_response'), 'unknown', true],
  ['page of a proxy', response(200, 'unexpected_response'), 'unknown', false],
  ['rate limit', response(429, 'rate_limited'), 'not_applied', true],
  ['key in progress', response(409, 'idempotency_conflict'), 'not_applied', true],
  ['expired token', response(401, 'unauthorized'), 'not_applied', false],
  ['ended session', response(401, 'invalid_grant'), 'not_applied', false],
  ['redirect', response(302, 'unexpected_response'), 'not_applied', false],
  ['blocked by a proxy', response(403, 'unexpected_response'), 'not_applied', false],
  ['replaced session', new FlorinError('unauthorized', 'Switched.'), 'not_applied', false],
  ['key of another request', response(422, 'idempotency_conflict'), 'refused', false],
  ['invalid request', response(400, 'invalid_request'), 'refused', false],
  ['no funds', response(402, 'insufficient_funds'), 'refused', false],
  ['not found', response(404, 'not_found'), 'refused', false],
  ['wrong state', response(409, 'not_cancellable'), 'refused', false],
]

for (const [failure, error, outcome, is_transient] of table) {
  test(`${failure} is ${outcome}${is_transient ? ', and is retried' : ''}`, () => {
    assert.deepEqual(verdictOf(error), { outcome, is_transient })
    const idempotency_key = 'order-114'
    const alone = { idempotency_key, lost: outcome === 'unknown' ? error : undefined }
    const thrown = withOutcome(error, alone)
    assert.deepEqual([thrown.code, thrown.status], [error.code, error.status])
    assert.equal(thrown.outcome_unknown, outcome === 'unknown')
    assert.equal(thrown.idempotency_key, idempotency_key)
    // After a lost attempt, only a 4xx about the request proves that nothing was applied.
    const later = withOutcome(error, { idempotency_key, lost: failed(reset) })
    assert.equal(later.outcome_unknown, outcome !== 'refused')
    const warns = /may have been applied/.test(later.message)
    assert.equal(warns, outcome !== 'refused')
  })
}

const options = { api_key: 'sk_sandbox_0123456789abcdef', retries_max: 0 }
const errorOf = (base_url: string): Promise<FlorinError> =>
  new Florin({ base_url, ...options }).request('POST', '/v1/x').then(
    () => assert.fail('it succeeded'),
    (error) => error,
  )

test('real connections: no listener, no such host, an untrusted certificate', async (t) => {
  const server = createServer({ cert: certificate, key }, () => assert.fail('not reached'))
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close())
  const { port } = server.address() as AddressInfo
  for (const base_url of [
    `http://127.0.0.1:${await findFreePort()}`,
    // Two addresses, so the reason is an AggregateError.
    `http://localhost:${await findFreePort()}`,
    'http://florin.invalid',
    `https://127.0.0.1:${port}`,
  ]) {
    const error = await errorOf(base_url)
    assert.equal(error.code, 'connection_failed')
    assert.equal(verdictOf(error).outcome, 'not_sent', `${base_url}: ${error.message}`)
    assert.equal(error.outcome_unknown, false)
  }
})
