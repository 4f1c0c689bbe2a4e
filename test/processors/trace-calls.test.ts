import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openProcessor } from '../../src/processors/processor.ts'
import { ProviderError } from '../../src/processors/provider.ts'
import { openTracing } from '../../src/tracing/open-tracing.ts'
import { CheckoutFixtures } from '../payments/checkout-fixtures.ts'
import { startSpanReceiver } from '../tracing/span-receiver.ts'

const receiver = await startSpanReceiver()
const fixtures = await CheckoutFixtures.open({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })
after(() => receiver.stop())

test('a call to a provider is part of the request that made it', async () => {
  const visit = await fixtures.visit({ amount: 4_200 })
  await fixtures.atStripe(visit)
  const call = await receiver.find(({ name }) => name === 'stripe createCheckout')
  const request = await receiver.find(({ spanId }) => spanId === call.parentSpanId)
  assert.equal(request.traceId, call.traceId)
  assert.match(request.name, /^POST \//)
  assert.equal(call.kind, 3)
  const { 'florin.checkout_id': checkout_id, ...rest } = call.attributes
  assert.match(String(checkout_id), /^chk_/)
  assert.deepEqual(rest, {
    'florin.provider': 'stripe',
    'florin.operation': 'createCheckout',
    'florin.account_id': visit.shop.account_id,
  })
  const sent = receiver.requests.map(({ text }) => text).join('\n')
  assert.ok(!sent.includes('sk_test'), 'no key')
})

test('a call of a worker starts a trace, and a failure has its code', async (t) => {
  const log = { warn: () => assert.fail('spans were lost') }
  const options = { kind: 'worker', version: '1', log, pace: { send_every_ms: 5 } } as const
  const tracing = openTracing(fixtures.florin.config.traces, options)!
  t.after(() => tracing.close())
  const { providers } = await openProcessor(fixtures.florin.config, tracing.tracer)
  const request = {
    transaction_id: 'txn_none',
    provider_id: 'cs_none',
    charge_id: 'ch_none',
    amount: 100,
    currency: 'USD',
  }
  await assert.rejects(providers[0]!.refund(request), ProviderError)
  const call = await receiver.find(({ name }) => name === 'stripe refund')
  assert.deepEqual([call.parentSpanId, call.status], [undefined, { code: 2 }])
  assert.deepEqual(call.attributes, {
    'florin.provider': 'stripe',
    'florin.operation': 'refund',
    'florin.transaction_id': 'txn_none',
    'florin.provider_id': 'cs_none',
    'error.type': 'resource_missing',
  })
})
