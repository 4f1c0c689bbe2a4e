import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ConfigError, readConfig } from '../../src/config.ts'
import { traceSettingNames } from '../../src/trace-settings.ts'

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

function faultOf(env: Record<string, string>): string {
  try {
    readConfig({ ...endpoint, ...env })
    return ''
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.faults.join('\n')
  }
}

test('without an endpoint nothing is recorded, whatever else is set', () => {
  assert.equal(readConfig({}).traces, undefined)
  assert.equal(readConfig({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }).traces, undefined)
  assert.equal(readConfig({ ...endpoint, OTEL_SDK_DISABLED: 'True' }).traces, undefined)
})

test('reads the endpoint, and adds the path to a base URL', () => {
  assert.deepEqual(readConfig(endpoint).traces, {
    url: 'http://127.0.0.1:4318/v1/traces',
    headers: {},
    sample_ratio: 1,
    service_name: 'florin',
    resource: {},
  })
  const exact = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://otlp.example.com/in' }
  assert.equal(readConfig({ ...endpoint, ...exact }).traces?.url, 'https://otlp.example.com/in')
})

test('reads headers, attributes and the ratio', () => {
  const { traces } = readConfig({
    ...endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20a%3Db, x-team = pay',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=other',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  })
  assert.deepEqual(traces?.headers, { authorization: 'Bearer a=b', 'x-team': 'pay' })
  assert.deepEqual(traces?.resource, { 'deployment.environment.name': 'test' })
  assert.deepEqual([traces?.service_name, traces?.sample_ratio], ['other', 0.25])
  const named = {
    ...endpoint,
    OTEL_SERVICE_NAME: 'pay',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=b',
  }
  assert.equal(readConfig(named).traces?.service_name, 'pay')
})

const faults: [Record<string, string>, RegExp][] = [
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /^OTEL_EXPORTER_OTLP_ENDPOINT must .+4318/],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'grpc://c' }, /^OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must /],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /must be "http\/json" or not set.+got "grpc".+4318/],
  [{ OTEL_TRACES_SAMPLER_ARG: '10%' }, /^OTEL_TRACES_SAMPLER_ARG must .+ from 0 to 1.+got "10%"/],
  [{ OTEL_TRACES_SAMPLER_ARG: '1.5' }, /got "1.5"/],
  [{ OTEL_RESOURCE_ATTRIBUTES: 'a=b,c' }, /^OTEL_RESOURCE_ATTRIBUTES must .+ item 2 is not/],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'a b=c' }, /^OTEL_EXPORTER_OTLP_HEADERS must have valid names/],
]

for (const [env, message] of faults) {
  test(`rejects ${JSON.stringify(env)}`, () => assert.match(faultOf(env), message))
}

test('never repeats a secret in a message', () => {
  const secret = 'hunter2'
  for (const [name, value] of [
    ['OTEL_EXPORTER_OTLP_HEADERS', `authorization=%${secret}`],
    ['OTEL_EXPORTER_OTLP_HEADERS', `bad name=${secret}`],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', `http://user:${secret}@collector`],
  ] as const) {
    const fault = faultOf({ [name]: value })
    assert.match(fault, new RegExp(`^${name} must`))
    assert.ok(!fault.includes(secret), fault)
  }
})

test('the reference documents every setting', () => {
  const text = readFileSync(new URL('../../docs/reference/settings.md', import.meta.url), 'utf8')
  for (const name of traceSettingNames) assert.ok(text.includes(`\`${name}\``), name)
})
