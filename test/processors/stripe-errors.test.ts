import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { pino } from 'pino'
import { openStripe } from '../../src/processors/stripe.ts'

test('the address of a customer that Stripe rejects is not logged', async (t) => {
  const server = createServer((_, response) => {
    const message = 'Invalid email address: jane@example.com'
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { type: 'invalid_request_error', message } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const stripe = openStripe({
    secret_key: 'sk_test_errors',
    webhook_secrets: [],
    api_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  })
  const error = await stripe.check().catch((thrown: Error) => thrown)
  const logged = JSON.stringify(pino.stdSerializers.err(error as Error))
  assert.match(logged, /Stripe: Invalid email address: …/)
  assert.doesNotMatch(logged, /jane/)
})
