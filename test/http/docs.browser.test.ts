import assert from 'node:assert/strict'
import { syncBuiltinESMExports } from 'node:module'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import zlib from 'node:zlib'
import { no_browser, openPage } from '../support/browser.ts'
import { startFlorin } from '../support/florin.ts'

const florin = await startFlorin()

test('the reference may only contact this server', async () => {
  for (const path of ['/docs', '/docs/']) {
    const response = await florin.call('GET', path)
    const policy = response.headers.get('content-security-policy') ?? ''
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.match(policy, /^default-src 'none'; script-src 'nonce-[\w+/]+=*'; /)
    assert.match(policy, /connect-src 'self'; /)
    assert.doesNotMatch(policy, /https?:|\*|unsafe-eval/)
    assert.doesNotMatch(response.text, /https?:\/\//)
  }
})

test('every response has a new nonce', async () => {
  const [one, two] = [await florin.call('GET', '/docs'), await florin.call('GET', '/docs')]
  const nonces = [one, two].map(
    ({ text }) => /<script src="\/docs\/scalar\.js" nonce="([^"]+)"/.exec(text)?.[1],
  )
  assert.ok(nonces[0])
  assert.notEqual(nonces[0], nonces[1])
  assert.ok(one.headers.get('content-security-policy')?.includes(nonces[0]))
})

test('the script is compressed according to Accept-Encoding', async () => {
  const packed = await fetch(`${florin.url}/docs/scalar.js`)
  const plain = await florin.call('GET', '/docs/scalar.js', {
    headers: { 'accept-encoding': 'identity' },
  })
  assert.equal(packed.headers.get('content-encoding'), 'gzip')
  assert.equal(plain.headers.get('content-encoding'), null)
  assert.equal(plain.headers.get('content-type'), 'text/javascript; charset=utf-8')
  assert.ok(plain.text.length > 1_000_000)
  assert.equal(await packed.text(), plain.text)
})

test('the uncompressed script is shared by all requests', async (t) => {
  const unpack = t.mock.method(zlib, 'gunzipSync')
  syncBuiltinESMExports()
  t.after(() => {
    unpack.mock.restore()
    syncBuiltinESMExports()
  })
  const headers = { 'accept-encoding': 'identity' }
  for (let n = 0; n < 3; n++) await florin.call('GET', '/docs/scalar.js', { headers })
  assert.ok(unpack.mock.callCount() <= 1, `decompressed ${unpack.mock.callCount()} times`)
})

test('a browser loads the whole reference within the default rate limit', async () => {
  const limited = await florin.startSecondServer({ FLORIN_RATE_LIMIT: '100' })
  for (const path of ['/docs', '/docs/scalar.js', '/openapi.json', '/favicon.svg']) {
    assert.equal((await fetch(limited.url + path)).status, 200, path)
  }
})

test('a document is the same in every encoding, and a current copy gets 304', async () => {
  const paths = ['/openapi.json', '/docs/scalar.js', '/llms-full.txt', '/favicon.svg', '/dashboard']
  for (const path of paths) {
    const read = (encoding: string, more: Record<string, string> = {}) =>
      fetch(florin.url + path, { headers: { 'accept-encoding': encoding, ...more } })
    const plain = await (await read('identity')).text()
    for (const encoding of path === '/docs/scalar.js' ? ['gzip'] : ['gzip', 'br']) {
      const packed = await read(encoding)
      assert.equal(packed.headers.get('content-encoding'), encoding, path)
      assert.equal(packed.headers.get('vary'), 'accept-encoding', path)
      assert.equal(await packed.text(), plain, path)
      const tag = packed.headers.get('etag')!
      const again = await read(encoding, { 'if-none-match': tag })
      assert.deepEqual([again.status, await again.text()], [304, ''], path)
      assert.equal((await read('identity', { 'if-none-match': tag })).status, 200, path)
    }
  }
})

test('returns an HTML page for an unknown path', async () => {
  const missing = await florin.call('GET', '/docs/nothing')
  assert.equal(missing.status, 404)
  assert.match(missing.text, /Page not found/)
})

test('a browser shows every operation without third parties', {
  skip: no_browser,
}, async () => {
  const page = await openPage({ viewport: { width: 1280, height: 900 } })
  const requested: string[] = []
  const faults: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (line) => line.type() === 'error' && faults.push(line.text()))
  await page.goto(`${florin.url}/docs`)
  const description = await florin.call('GET', '/openapi.json')
  for (const operations of Object.values(description.body.paths)) {
    for (const { summary } of Object.values(operations as Record<string, { summary: string }>)) {
      await page.getByText(summary, { exact: true }).first().waitFor({ state: 'attached' })
    }
  }
  await page.keyboard.press('Control+k')
  await page.keyboard.type('log in')
  await page.keyboard.press('Escape')
  // Long enough for late requests; on a busy machine the page may never be idle.
  await sleep(1_000)
  const elsewhere = requested.filter(
    (url) => !url.startsWith(`${florin.url}/`) && /^\w+s?:\/\//.test(url),
  )
  assert.deepEqual(elsewhere, [])
  assert.ok(requested.includes(`${florin.url}/openapi.json`))
  assert.deepEqual(faults, [])
})
