// SSRF: no webhook reaches a private address, by its URL, by DNS, by DNS rebinding or by a
// redirect. A server on all addresses of this machine counts connections.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  type AddressSettings,
  addressPolicy,
  isPublicAddress,
} from '../../src/webhooks/address-policy.ts'
import { requireWebhookUrl } from '../../src/webhooks/require-webhook-url.ts'
import {
  openWebhookClient,
  type WebhookClientOptions,
} from '../../src/webhooks/sending/webhook-client.ts'
import { startFlorin } from '../support/florin.ts'
import { certificate, key } from '../support/localhost-certificate.ts'
import { watchRefusals } from '../support/watch-refusals.ts'
import { invalid_urls, private_hosts } from './private-address-forms.ts'
import { startSink } from './sink.ts'
import { startTlsSink } from './tls-sink.ts'

// Listens on a public address, so loopback is blocked, as in live mode.
const florin = watchRefusals(await startFlorin({ HOST: '0.0.0.0' }))
const sink = await startSink(0, '::')
after(() => sink.stop())

// The default settings.
const local = { public_url: 'http://127.0.0.1:4000', trust_proxy: undefined }
const live = addressPolicy({ mode: 'live', host: '127.0.0.1', webhook_allow: [], ...local })
const sandbox = addressPolicy({ mode: 'sandbox', host: '127.0.0.1', webhook_allow: [], ...local })

test('the list has at least 60 forms', () => {
  assert.ok(new Set(private_hosts).size >= 60, `${private_hosts.length}`)
})

test('rejects an endpoint URL with a private address', async () => {
  const owner = await florin.people.owner()
  const urls = private_hosts.flatMap((host) => [
    `https://${host}:${sink.port}${sink.path}`,
    `http://${host}/`,
  ])
  for (const url of [...urls, ...invalid_urls]) {
    const body = { url, events: ['*'] }
    const refused = await florin.call('POST', '/v1/webhook_endpoints', {
      token: owner.token,
      body,
    })
    assert.equal(refused.status, 400, url)
    assert.match(refused.body.message, /^("url"|The request body)/, url)
  }
  assert.equal(sink.connections, 0)
})

const postTo = async (url: string, policy: typeof live, options: WebhookClientOptions = {}) => {
  const webhookClient = openWebhookClient(policy, options)
  try {
    return await webhookClient.post({ url, headers: {}, body: '{}' })
  } finally {
    await webhookClient.disconnect()
  }
}

test('does not connect to a private address in a stored URL', async () => {
  for (const scheme of ['http', 'https']) {
    for (const host of private_hosts) {
      const url = `${scheme}://${host}:${sink.port}${sink.path}`
      // A refused connection would mean that a connection was attempted.
      await assert.rejects(postTo(url, live), /private or reserved|could not be resolved/, url)
    }
  }
  assert.equal(sink.connections, 0)
})

const private_addresses = [
  '127.0.0.1',
  '10.0.0.1',
  '169.254.169.254',
  '0.0.0.0',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'fe80::1',
  'fe80::1%lo',
  'fd00::1',
  'not an address',
]

test('does not connect to a name that resolves to a private address', async () => {
  for (const address of private_addresses) {
    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://hook.example.com:${sink.port}${sink.path}`
      const resolve = async () => [address]
      await assert.rejects(postTo(url, live, { resolve }), /private or reserved/, address)
    }
  }
  assert.equal(sink.connections, 0)
})

test('resolves a name once and connects to the checked address (DNS rebinding)', async () => {
  // 127.0.0.2 stands in for a public address: allowed, and on this machine.
  const policy = addressPolicy({
    mode: 'live',
    host: '::',
    webhook_allow: ['127.0.0.2/32'],
    ...local,
  })
  const before = sink.connections
  for (const first of [['127.0.0.2'], ['127.0.0.1', '127.0.0.2', '::1']]) {
    let lookups = 0
    const resolve = async () => {
      lookups += 1
      return lookups === 1 ? first : ['127.0.0.1']
    }
    const webhookClient = openWebhookClient(policy, { resolve })
    const request = {
      url: `http://rebind.example.com:${sink.port}${sink.path}`,
      headers: {},
      body: '{}',
    }
    await webhookClient.post(request)
    assert.equal(lookups, 1)
    assert.equal(sink.reached, '::ffff:127.0.0.2')
    await webhookClient.disconnect()
    await assert.rejects(postTo(request.url, policy, { resolve }), /private or reserved/)
    assert.equal(lookups, 2)
  }
  assert.equal(sink.connections, before + 2)
})

test('does not follow a redirect to a private address in any form', async (t) => {
  // The only allowed address redirects every request.
  const policy = addressPolicy({
    mode: 'live',
    host: '::',
    webhook_allow: ['127.0.0.2/32'],
    ...local,
  })
  const redirector = await startSink(0, '127.0.0.2')
  t.after(() => redirector.stop())
  const before = sink.connections
  const webhookClient = openWebhookClient(policy)
  t.after(() => webhookClient.disconnect())
  for (const [at, host] of private_hosts.entries()) {
    const status = [301, 302, 303, 307, 308][at % 5]!
    const location = `${at % 2 === 0 ? 'http' : 'https'}://${host}:${sink.port}${sink.path}`
    redirector.respond = (_, response) =>
      response.writeHead(status, { location: encodeURI(location), refresh: '0' }).end()
    const url = `http://127.0.0.2:${redirector.port}${redirector.path}`
    assert.equal((await webhookClient.post({ url, headers: {}, body: '{}' })).status, status)
  }
  assert.equal(redirector.received.length, private_hosts.length)
  assert.equal(sink.connections, before)
})

test('the counting server is reachable if loopback is allowed', async () => {
  const before = sink.connections
  for (const host of ['127.0.0.1', '0x7f.1', 'localhost', '[::1]']) {
    const response = await postTo(`http://${host}:${sink.port}${sink.path}`, sandbox)
    assert.equal(response.status, 200, host)
  }
  assert.equal(sink.connections, before + 4)
})

test('plain HTTP is allowed only to explicitly allowed networks', async () => {
  const resolve = async () => ['93.184.215.14']
  const policy = addressPolicy({
    mode: 'live',
    host: '::',
    webhook_allow: ['10.0.0.0/8'],
    ...local,
  })
  await assert.rejects(postTo('http://example.com/', policy, { resolve }), /private or reserved/)
})

test('loopback is allowed only in a sandbox that listens on loopback', () => {
  const cases: [mode: 'sandbox' | 'live', host: string, allowed: boolean][] = [
    ['sandbox', '127.0.0.1', true],
    ['sandbox', '::1', true],
    ['sandbox', 'localhost', true],
    ['sandbox', '0.0.0.0', false],
    ['sandbox', '::', false],
    ['sandbox', '192.168.1.5', false],
    ['live', '127.0.0.1', false],
  ]
  for (const [mode, host, expected] of cases) {
    const policy = addressPolicy({ mode, host, webhook_allow: [], ...local })
    assert.equal(policy.isReachable('127.0.0.1'), expected, `${mode} ${host}`)
    assert.equal(policy.isReachable('::1'), expected)
    assert.equal(policy.isReachable('10.0.0.1'), false)
    assert.equal(policy.isReachable('::ffff:127.0.0.1'), false)
  }
  assert.equal(requireWebhookUrl('http://localhost:3000/x', sandbox), 'http://localhost:3000/x')
  assert.equal(requireWebhookUrl('http://127.1:3000/x', sandbox), 'http://127.0.0.1:3000/x')
  assert.throws(() => requireWebhookUrl('http://example.com/', sandbox), /https/)
  assert.throws(() => requireWebhookUrl('https://10.0.0.1/', sandbox), /private/)
})

test('loopback is blocked in a sandbox behind a proxy', async () => {
  const sandbox_on_loopback = { mode: 'sandbox', host: '127.0.0.1', webhook_allow: [] } as const
  const cases: [what: string, more: Partial<AddressSettings>, allowed: boolean][] = [
    ['nothing else is set', {}, true],
    ['a public URL on loopback', { public_url: 'http://localhost:4000' }, true],
    ['a public URL by IPv6', { public_url: 'http://[::1]:4000' }, true],
    ['a public URL elsewhere', { public_url: 'https://pay.example.com' }, false],
    [
      'a name that only starts with 127.0.0.1',
      { public_url: 'http://127.0.0.1.example.com' },
      false,
    ],
    ['one proxy', { trust_proxy: 1 }, false],
    ['proxies by network', { trust_proxy: ['10.0.0.0/8'] }, false],
  ]
  for (const [what, more, expected] of cases) {
    const policy = addressPolicy({ ...sandbox_on_loopback, webhook_allow: [], ...local, ...more })
    assert.equal(policy.isReachable('127.0.0.1'), expected, what)
    assert.equal(policy.loopback, expected, what)
  }
  const { token } = await florin.people.owner()
  const body = { url: 'http://127.0.0.1:9/', events: ['*'] }
  const statusWith = async (env: Record<string, string>) => {
    const other = await florin.startSecondServer(env)
    return (await other.call('POST', '/v1/webhook_endpoints', { token, body })).status
  }
  assert.equal(await statusWith({ FLORIN_TRUST_PROXY: '1' }), 400)
  assert.equal(await statusWith({ FLORIN_PUBLIC_URL: 'https://pay.example.com' }), 400)
  const allowed = { FLORIN_TRUST_PROXY: '1', FLORIN_WEBHOOK_ALLOW: '127.0.0.0/8' }
  assert.equal(await statusWith(allowed), 201)
})

test('FLORIN_WEBHOOK_ALLOW applies to endpoint URLs and to deliveries', async () => {
  const server = await florin.startSecondServer({
    FLORIN_WEBHOOK_ALLOW: '10.1.0.0/16, 192.168.0.7',
  })
  const { token } = await florin.people.owner()
  const statusOf = async (url: string) => {
    const body = { url, events: ['*'] }
    return (await server.call('POST', '/v1/webhook_endpoints', { token, body })).status
  }
  assert.equal(await statusOf('http://10.1.2.3/'), 201)
  assert.equal(await statusOf('https://192.168.0.7/'), 201)
  assert.equal(await statusOf('http://10.2.0.1/'), 400)
  assert.equal(addressPolicy(server.config).isReachable('10.1.2.3'), true)
  assert.equal(addressPolicy(server.config).isReachable('10.2.0.1'), false)
})

test('webhook_allow adds networks and addresses', () => {
  const policy = addressPolicy({
    mode: 'live',
    host: '0.0.0.0',
    webhook_allow: ['10.1.0.0/16', 'fd00::/8', '192.168.0.7'],
    ...local,
  })
  assert.equal(requireWebhookUrl('http://10.1.2.3/', policy), 'http://10.1.2.3/')
  assert.equal(requireWebhookUrl('https://192.168.0.7/', policy), 'https://192.168.0.7/')
  assert.equal(requireWebhookUrl('http://app:3000/', policy), 'http://app:3000/')
  assert.throws(() => requireWebhookUrl('https://10.2.0.1/', policy), /private/)
  assert.throws(() => requireWebhookUrl('https://192.168.0.8/', policy), /private/)
  assert.equal(policy.isReachable('fd12::1'), true)
  assert.equal(policy.isReachable('fc00::1'), false)
  assert.equal(policy.isReachable('127.0.0.1'), false)
})

test('isPublicAddress accepts public addresses', () => {
  for (const address of ['8.8.8.8', '93.184.215.14', '2606:4700::1111', '2a00:1450:4001::1']) {
    assert.equal(isPublicAddress(address), true, address)
  }
})

test('rejects an untrusted certificate and accepts a trusted one', async (t) => {
  const tls = await startTlsSink({ cert: certificate, key })
  t.after(() => tls.stop())
  const url = `https://localhost:${tls.port}/`
  await assert.rejects(postTo(url, sandbox), /certificate/)
  const other = `https://foo.localhost:${tls.port}/`
  await assert.rejects(postTo(other, sandbox, { ca: certificate }), /a different host/)
  assert.equal(tls.requests, 0)
  const response = await postTo(url, sandbox, { ca: certificate })
  assert.deepEqual([response.status, response.body.toString(), tls.requests], [200, 'ok', 1])
})
