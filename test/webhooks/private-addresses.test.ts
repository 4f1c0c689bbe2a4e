// No webhook reaches a private address: not when the URL is given, not when a connection is made,
// not by DNS that changes its mind, not by a redirect. A server on all of this machine's addresses
// counts who came.

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
import { private_hosts, wrong_urls } from './private-address-forms.ts'
import { startSink } from './sink.ts'
import { startTlsSink } from './tls-sink.ts'

// It listens on a public address, so loopback is closed: as in live mode.
const florin = watchRefusals(await startFlorin({ HOST: '0.0.0.0' }))
const sink = await startSink(0, '::')
after(() => sink.stop())

// As without any setting.
const local = { public_url: 'http://127.0.0.1:4000', trust_proxy: undefined }
const live = addressPolicy({ mode: 'live', host: '127.0.0.1', webhook_allow: [], ...local })
const sandbox = addressPolicy({ mode: 'sandbox', host: '127.0.0.1', webhook_allow: [], ...local })

test('there are enough forms to mean something', () => {
  assert.ok(new Set(private_hosts).size >= 60, `${private_hosts.length}`)
})

test('a URL that names a private address is refused at once', async () => {
  const owner = await florin.people.owner()
  const urls = private_hosts.flatMap((host) => [
    `https://${host}:${sink.port}${sink.path}`,
    `http://${host}/`,
  ])
  for (const url of [...urls, ...wrong_urls]) {
    const body = { url, events: ['*'] }
    const refused = await florin.call('POST', '/v1/webhook_endpoints', {
      token: owner.token,
      body,
    })
    assert.equal(refused.status, 400, url)
    assert.match(refused.body.message, /^(url|body)/, url)
  }
  assert.equal(sink.connections, 0)
})

const postTo = async (url: string, open: typeof live, options: WebhookClientOptions = {}) => {
  const webhookClient = openWebhookClient(open, options)
  try {
    return await webhookClient.post({ url, headers: {}, body: '{}' })
  } finally {
    await webhookClient.disconnect()
  }
}

test('a private address that came past the first check is not connected to', async () => {
  for (const scheme of ['http', 'https']) {
    for (const host of private_hosts) {
      const url = `${scheme}://${host}:${sink.port}${sink.path}`
      // Not one that was tried in vain: a refused connection is a connection.
      await assert.rejects(postTo(url, live), /private or reserved|has no address/, url)
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

test('a name that has a private address is not connected to', async () => {
  for (const address of private_addresses) {
    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://hook.example.com:${sink.port}${sink.path}`
      const resolve = async () => [address]
      await assert.rejects(postTo(url, live, { resolve }), /private or reserved/, address)
    }
  }
  assert.equal(sink.connections, 0)
})

test('a name that changes its mind is asked once, and the checked address is the one', async () => {
  // 127.0.0.2 stands for a public address here: opened, and on this machine.
  const open = addressPolicy({
    mode: 'live',
    host: '::',
    webhook_allow: ['127.0.0.2/32'],
    ...local,
  })
  const before = sink.connections
  for (const first of [['127.0.0.2'], ['127.0.0.1', '127.0.0.2', '::1']]) {
    let asked = 0
    const resolve = async () => {
      asked += 1
      return asked === 1 ? first : ['127.0.0.1']
    }
    const webhookClient = openWebhookClient(open, { resolve })
    const request = {
      url: `http://rebind.example.com:${sink.port}${sink.path}`,
      headers: {},
      body: '{}',
    }
    await webhookClient.post(request)
    assert.equal(asked, 1)
    assert.equal(sink.reached, '::ffff:127.0.0.2')
    await webhookClient.disconnect()
    await assert.rejects(postTo(request.url, open, { resolve }), /private or reserved/)
    assert.equal(asked, 2)
  }
  assert.equal(sink.connections, before + 2)
})

test('a redirect to a private address is not followed, whatever its form', async (t) => {
  // The one address that is open, and it sends everybody on.
  const open = addressPolicy({
    mode: 'live',
    host: '::',
    webhook_allow: ['127.0.0.2/32'],
    ...local,
  })
  const redirector = await startSink(0, '127.0.0.2')
  t.after(() => redirector.stop())
  const before = sink.connections
  const webhookClient = openWebhookClient(open)
  t.after(() => webhookClient.disconnect())
  for (const [at, host] of private_hosts.entries()) {
    const status = [301, 302, 303, 307, 308][at % 5]!
    const location = `${at % 2 === 0 ? 'http' : 'https'}://${host}:${sink.port}${sink.path}`
    redirector.answer = (_, response) =>
      response.writeHead(status, { location: encodeURI(location), refresh: '0' }).end()
    const url = `http://127.0.0.2:${redirector.port}${redirector.path}`
    assert.equal((await webhookClient.post({ url, headers: {}, body: '{}' })).status, status)
  }
  assert.equal(redirector.received.length, private_hosts.length)
  assert.equal(sink.connections, before)
})

test('the server that counts would have been reached, had nobody stood in between', async () => {
  const before = sink.connections
  for (const host of ['127.0.0.1', '0x7f.1', 'localhost', '[::1]']) {
    const answer = await postTo(`http://${host}:${sink.port}${sink.path}`, sandbox)
    assert.equal(answer.status, 200, host)
  }
  assert.equal(sink.connections, before + 4)
})

test('the clear goes only to what is opened, never to the public internet', async () => {
  const resolve = async () => ['93.184.215.14']
  const open = addressPolicy({ mode: 'live', host: '::', webhook_allow: ['10.0.0.0/8'], ...local })
  await assert.rejects(postTo('http://example.com/', open, { resolve }), /private or reserved/)
})

test('loopback is open in a sandbox that listens on loopback, and nowhere else', () => {
  const cases: [mode: 'sandbox' | 'live', host: string, open: boolean][] = [
    ['sandbox', '127.0.0.1', true],
    ['sandbox', '::1', true],
    ['sandbox', 'localhost', true],
    ['sandbox', '0.0.0.0', false],
    ['sandbox', '::', false],
    ['sandbox', '192.168.1.5', false],
    ['live', '127.0.0.1', false],
  ]
  for (const [mode, host, expected] of cases) {
    const open = addressPolicy({ mode, host, webhook_allow: [], ...local })
    assert.equal(open.isReachable('127.0.0.1'), expected, `${mode} ${host}`)
    assert.equal(open.isReachable('::1'), expected)
    assert.equal(open.isReachable('10.0.0.1'), false)
    assert.equal(open.isReachable('::ffff:127.0.0.1'), false)
  }
  assert.equal(requireWebhookUrl('http://localhost:3000/x', sandbox), 'http://localhost:3000/x')
  assert.equal(requireWebhookUrl('http://127.1:3000/x', sandbox), 'http://127.0.0.1:3000/x')
  assert.throws(() => requireWebhookUrl('http://example.com/', sandbox), /https/)
  assert.throws(() => requireWebhookUrl('https://10.0.0.1/', sandbox), /private/)
})

test('loopback is closed in a sandbox that others reach through a proxy', async () => {
  const sandbox_on_loopback = { mode: 'sandbox', host: '127.0.0.1', webhook_allow: [] } as const
  const cases: [what: string, more: Partial<AddressSettings>, open: boolean][] = [
    ['nothing else is set', {}, true],
    ['a public URL on loopback', { public_url: 'http://localhost:4000' }, true],
    ['a public URL by IPv6', { public_url: 'http://[::1]:4000' }, true],
    ['a public URL elsewhere', { public_url: 'https://pay.example.com' }, false],
    ['a name that only begins so', { public_url: 'http://127.0.0.1.example.com' }, false],
    ['one proxy', { trust_proxy: 1 }, false],
    ['proxies by network', { trust_proxy: ['10.0.0.0/8'] }, false],
  ]
  for (const [what, more, expected] of cases) {
    const open = addressPolicy({ ...sandbox_on_loopback, webhook_allow: [], ...local, ...more })
    assert.equal(open.isReachable('127.0.0.1'), expected, what)
    assert.equal(open.loopback, expected, what)
  }
  const { token } = await florin.people.owner()
  const body = { url: 'http://127.0.0.1:9/', events: ['*'] }
  const statusWith = async (env: Record<string, string>) => {
    const other = await florin.startSecondServer(env)
    return (await other.call('POST', '/v1/webhook_endpoints', { token, body })).status
  }
  assert.equal(await statusWith({ FLORIN_TRUST_PROXY: '1' }), 400)
  assert.equal(await statusWith({ FLORIN_PUBLIC_URL: 'https://pay.example.com' }), 400)
  const opened = { FLORIN_TRUST_PROXY: '1', FLORIN_WEBHOOK_ALLOW: '127.0.0.0/8' }
  assert.equal(await statusWith(opened), 201)
})

test('an operator opens ranges by a setting, for endpoints and for what is sent', async () => {
  const opened = await florin.startSecondServer({
    FLORIN_WEBHOOK_ALLOW: '10.1.0.0/16, 192.168.0.7',
  })
  const { token } = await florin.people.owner()
  const statusOf = async (url: string) => {
    const body = { url, events: ['*'] }
    return (await opened.call('POST', '/v1/webhook_endpoints', { token, body })).status
  }
  assert.equal(await statusOf('http://10.1.2.3/'), 201)
  assert.equal(await statusOf('https://192.168.0.7/'), 201)
  assert.equal(await statusOf('http://10.2.0.1/'), 400)
  assert.equal(addressPolicy(opened.config).isReachable('10.1.2.3'), true)
  assert.equal(addressPolicy(opened.config).isReachable('10.2.0.1'), false)
})

test('an operator opens ranges', () => {
  const open = addressPolicy({
    mode: 'live',
    host: '0.0.0.0',
    webhook_allow: ['10.1.0.0/16', 'fd00::/8', '192.168.0.7'],
    ...local,
  })
  assert.equal(requireWebhookUrl('http://10.1.2.3/', open), 'http://10.1.2.3/')
  assert.equal(requireWebhookUrl('https://192.168.0.7/', open), 'https://192.168.0.7/')
  assert.equal(requireWebhookUrl('http://app:3000/', open), 'http://app:3000/')
  assert.throws(() => requireWebhookUrl('https://10.2.0.1/', open), /private/)
  assert.throws(() => requireWebhookUrl('https://192.168.0.8/', open), /private/)
  assert.equal(open.isReachable('fd12::1'), true)
  assert.equal(open.isReachable('fc00::1'), false)
  assert.equal(open.isReachable('127.0.0.1'), false)
})

test('public addresses are public', () => {
  for (const address of ['8.8.8.8', '93.184.215.14', '2606:4700::1111', '2a00:1450:4001::1']) {
    assert.equal(isPublicAddress(address), true, address)
  }
})

test('a certificate that nobody vouches for is not spoken to; a good one is', async (t) => {
  const tls = await startTlsSink({ cert: certificate, key })
  t.after(() => tls.stop())
  const url = `https://localhost:${tls.port}/`
  await assert.rejects(postTo(url, sandbox), /certificate/)
  const other = `https://foo.localhost:${tls.port}/`
  await assert.rejects(postTo(other, sandbox, { ca: certificate }), /another host/)
  assert.equal(tls.requests, 0)
  const answer = await postTo(url, sandbox, { ca: certificate })
  assert.deepEqual([answer.status, answer.body.toString(), tls.requests], [200, 'ok', 1])
})
