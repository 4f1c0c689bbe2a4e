// While the server listens on loopback, it accepts loopback names and the hosts in the settings,
// and no others.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ConfigError, readConfig } from '../../src/config.ts'
import { hostCheck } from '../../src/http/allowed-hosts.ts'
import { startFlorin } from '../support/florin.ts'
import { assertErrorShape, type RawResponse, sendRaw } from '../support/raw.ts'

const florin = await startFlorin()
const admin = await florin.people.admin()

async function send(url: string, path: string, host: string, more = ''): Promise<RawResponse> {
  const head = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`
  const [response] = await sendRaw(url, Buffer.from(head))
  assert.ok(response, `${host} got no response`)
  return response
}

const foreign = 'attacker.example:4530'

test('returns 421 for a foreign host on every path and names the setting', async () => {
  const token = `Authorization: Bearer ${admin.token}\r\n`
  const paths = ['/livez', '/readyz', '/metrics', '/v1/users', '/nowhere', '/openapi.json']
  for (const path of paths) {
    for (const more of ['', token, `Origin: http://${foreign}\r\n`]) {
      const response = await send(florin.url, path, foreign, more)
      assert.equal(response.status, 421, path)
      assertErrorShape(response, path)
      assert.equal(response.body.error, 'invalid_request')
      assert.match(response.body.message, /"attacker\.example:4530".* FLORIN_ALLOWED_HOSTS\.$/)
    }
  }
  for (const path of ['/dashboard', '/pay/nothing', '/docs', '/dashboard/api/session']) {
    assert.equal((await send(florin.url, path, foreign)).status, 421, path)
  }
})

test('accepts loopback names with any port', async () => {
  const names = ['localhost', 'LOCALHOST:80', 'app.localhost:1', 'localhost.', '127.0.0.1:4000']
  for (const host of [...names, '127.8.9.1', '[::1]', '[::1]:4000', '127.1']) {
    assert.equal((await send(florin.url, '/livez', host)).status, 200, host)
  }
  const [old] = await sendRaw(florin.url, Buffer.from('GET /livez HTTP/1.0\r\n\r\n'))
  assert.equal(old?.status, 200)
})

test('rejects names that only resemble loopback names', async () => {
  const names = ['localhost.example', '127.0.0.1.example', 'notlocalhost', '10.0.0.1', '0.0.0.0']
  for (const host of [...names, '[::2]', 'localhost@attacker.example', 'a b', '', '%']) {
    const { status } = await send(florin.url, '/livez', host)
    assert.ok(status === 421 || status === 400, `${host}: ${status}`)
  }
})

test('accepts the host of the public URL and FLORIN_ALLOWED_HOSTS', async () => {
  const other = await florin.startSecondServer({
    FLORIN_PUBLIC_URL: 'https://Pay.example.com/shop',
    FLORIN_ALLOWED_HOSTS: 'florin.internal, 10.0.0.7,Upper.example, fd00::1',
  })
  const served = ['pay.example.com', 'PAY.example.com:443', 'florin.internal:4000', '10.0.0.7']
  for (const host of [...served, 'upper.example', '[fd00::1]:4000', 'localhost']) {
    assert.equal((await send(other.url, '/livez', host)).status, 200, host)
  }
  for (const host of ['example.com', 'x.florin.internal', foreign]) {
    assert.equal((await send(other.url, '/livez', host)).status, 421, host)
  }
})

test('a server that does not listen on loopback accepts any host', () => {
  for (const host of ['0.0.0.0', '::', '192.168.1.5', 'florin.internal']) {
    const serves = hostCheck({ host, public_url: 'http://localhost:4000', allowed_hosts: [] })
    assert.equal(serves(foreign), true, host)
  }
  for (const host of ['127.0.0.1', '::1', 'localhost', '0:0:0:0:0:0:0:1']) {
    const serves = hostCheck({ host, public_url: 'http://localhost:4000', allowed_hosts: [] })
    assert.deepEqual([serves(foreign), serves('localhost')], [false, true], host)
  }
})

test('rejects a setting that is not a list of host names', () => {
  for (const text of ['http://pay.example', 'pay.example:443', 'pay.example/x', 'a b', '*']) {
    assert.throws(
      () => readConfig({ FLORIN_ALLOWED_HOSTS: `good.example,${text}` }),
      ({ faults }: ConfigError) => /^FLORIN_ALLOWED_HOSTS must list host names/.test(faults[0]!),
      text,
    )
  }
})

test('metrics are open by loopback name, and not through a proxy', async () => {
  const named = await florin.startSecondServer({ FLORIN_PUBLIC_URL: 'https://pay.example.com' })
  assert.equal((await send(named.url, '/metrics', 'localhost')).status, 200)
  assert.equal((await send(named.url, '/metrics', 'pay.example.com')).status, 401)
  for (const header of ['X-Forwarded-For: 1.2.3.4', 'Forwarded: for=x', 'X-Real-IP: x', 'Via: x']) {
    assert.equal((await send(named.url, '/metrics', 'localhost', `${header}\r\n`)).status, 401)
  }
  const token = `Authorization: Bearer ${admin.token}\r\n`
  assert.equal((await send(named.url, '/metrics', 'pay.example.com', token)).status, 200)
})
