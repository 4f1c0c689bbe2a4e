// Traces of `florin start`, its worker and `florin doctor`, as separate processes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeInstallation } from '../cli/florin-process.ts'
import { makeDatabase } from '../cli/shared-database.ts'
import { call } from '../support/call.ts'
import { findFreePort } from '../support/free-port.ts'
import { credentials } from '../support/people.ts'
import { startSink } from '../webhooks/sink.ts'
import { attributesOf, startSpanReceiver } from './span-receiver.ts'

test('a server and its worker send traces, also when they stop', async (t) => {
  const { env } = await makeDatabase(t)
  const installation = await makeInstallation(t)
  const [sink, receiver] = [await startSink(), await startSpanReceiver()]
  t.after(() => Promise.all([sink.stop(), receiver.stop()]))
  const traced = { ...env, HOST: '127.0.0.1', OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }
  const { url, florin } = await installation.start({ env: traced })
  const who = credentials('traced')
  await call(url, 'POST', '/v1/accounts', { body: { ...who, name: 'Acme', type: 'business' } })
  const token = (await call(url, 'POST', '/v1/auth/login', { body: who })).body.access_token
  const body = { url: sink.url, events: ['*'] }
  const endpoint = await call(url, 'POST', '/v1/webhook_endpoints', { token, body })
  await call(url, 'POST', `/v1/webhook_endpoints/${endpoint.body.id}/test`, { token })
  const [received] = await sink.until(1)
  await receiver.find(({ name }) => name === 'webhook delivery')
  // The last span is younger than the interval at which spans are sent.
  const last = await call(url, 'GET', '/v1/account', { token })
  await florin.stop()
  const request_id = last.headers.get('request-id')
  const isLast = (attributes: Record<string, unknown>) =>
    attributes['florin.request_id'] === request_id
  assert.ok(receiver.spans.some(({ attributes }) => isLast(attributes)))
  const delivery = receiver.spans.find(({ name }) => name === 'webhook delivery')!
  const { traceparent } = received!.headers
  assert.equal(traceparent, `00-${delivery.traceId}-${delivery.spanId}-01`)
  const processes = receiver.requests.map(({ text }) => {
    const { attributes } = JSON.parse(text).resourceSpans[0].resource
    return attributesOf(attributes)['florin.process']
  })
  assert.deepEqual(new Set(processes), new Set(['server', 'worker']))

  const doctor = async (OTEL_EXPORTER_OTLP_ENDPOINT: string) => {
    const options = { env: { ...env, OTEL_EXPORTER_OTLP_ENDPOINT } }
    const { stdout } = await installation.run(['doctor', '--json'], options).ended
    const { checks } = JSON.parse(stdout) as { checks: { check: string; state: string }[] }
    return checks.filter(({ check }) => check === 'Traces')
  }
  const message = `sent to ${receiver.url}`
  assert.deepEqual(await doctor(receiver.url), [{ check: 'Traces', state: 'ok', message }])
  assert.equal(receiver.spans.at(-1)!.name, 'florin doctor')
  const nothing = `http://127.0.0.1:${await findFreePort()}`
  const [failed] = await doctor(nothing)
  assert.deepEqual(failed, {
    check: 'Traces',
    state: 'warn',
    message:
      `Not sent to ${nothing}: the collector did not respond: ECONNREFUSED. Florin runs without ` +
      'traces. Check OTEL_EXPORTER_OTLP_ENDPOINT, and that the collector accepts OTLP over HTTP ' +
      'there.',
  })
  assert.deepEqual(await doctor(''), [])
})
