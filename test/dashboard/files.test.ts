// Serving of the built files. Needs no browser and no database.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import { builtFiles } from '../../src/dashboard/built-files.ts'
import { buildApp } from '../../src/http/app.ts'
import { openDatabase } from '../../src/postgres/database.ts'

const db = openDatabase({ host: '/nowhere' })
const log = pino({ level: 'silent' })
const app = await buildApp({ db, log, config: readConfig({}), version: '0.0.0-test' })
after(async () => {
  await app.close()
  await db.close()
})

const start = builtFiles().get('index.html')!.bytes.toString()

/** The scripts a browser loads before it shows Home. */
function firstLoad(): string[] {
  const named = [...start.matchAll(/(?:src|href)="\/dashboard\/([^"]+\.js)"/g)].map(([, at]) => at!)
  const home = [...builtFiles().keys()].filter((name) => /^assets\/home-.*\.js$/.test(name))
  const needed = new Set<string>()
  const visit = (name: string) => {
    if (needed.has(name)) return
    needed.add(name)
    const text = builtFiles().get(name)!.bytes.toString()
    for (const [, file] of text.matchAll(/from\s*["'`]\.\/([^"'`]+\.js)["'`]/g)) {
      visit(`assets/${file}`)
    }
  }
  for (const name of [...named, ...home]) visit(name)
  return [...needed]
}

test('the first load is at most 200 kB of gzipped JavaScript', () => {
  const names = firstLoad()
  assert.ok(names.length >= 3, names.join(', '))
  const sizes = names.map((name) => gzipSync(builtFiles().get(name)!.bytes, { level: 6 }).length)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  assert.ok(total > 50_000, `only ${total} bytes found: the test misses some files`)
  assert.ok(total <= 200_000, `${total} bytes in ${names.join(', ')}`)
})

test('every path serves the start page with a strict Content-Security-Policy', async () => {
  for (const url of ['/dashboard', '/dashboard/', '/dashboard/transactions/txn_1?account=a']) {
    const { statusCode, headers, body } = await app.inject(url)
    assert.equal(statusCode, 200, url)
    assert.equal(body, start)
    assert.equal(headers['cache-control'], 'no-cache')
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; /)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe|https?:|\*/)
  }
})

test('the start page has no inline script, inline style or external URL', () => {
  assert.doesNotMatch(start, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:\/\//)
})

test('serves assets as immutable, with the best encoding the browser accepts', async () => {
  const [name, file] = [...builtFiles()].find(([at]) => /^assets\/index-.*\.js$/.test(at))!
  const get = (encoding: string) =>
    app.inject({ url: `/dashboard/${name}`, headers: { 'accept-encoding': encoding } })
  const plain = await get('identity')
  assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.equal(plain.headers.vary, 'accept-encoding')
  assert.ok(plain.rawPayload.equals(file.bytes))
  const gzip = await get('gzip')
  assert.equal(gzip.headers['content-encoding'], 'gzip')
  assert.ok(gunzipSync(gzip.rawPayload).equals(file.bytes))
  const brotli = await get('gzip, deflate, br')
  assert.equal(brotli.headers['content-encoding'], 'br')
  assert.ok(brotliDecompressSync(brotli.rawPayload).equals(file.bytes))
  assert.ok(brotli.rawPayload.length < gzip.rawPayload.length)
  const cases: [string, string | undefined][] = [
    ['br;q=0, gzip;q=0.0', undefined],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['BR ; q=1.0', 'br'],
    ['brotli, x-gzip', undefined],
  ]
  for (const [accepted, sent] of cases) {
    assert.equal((await get(accepted)).headers['content-encoding'], sent, accepted)
  }
})

test('returns 404 for a missing file instead of the start page', async () => {
  for (const name of ['assets/old-1234.js', 'missing.css', 'assets/../index.htm', 'api/v2/users']) {
    const { statusCode } = await app.inject(`/dashboard/${name}`)
    assert.equal(statusCode, 404, name)
  }
  const call = await app.inject('/dashboard/api/nothing')
  assert.equal(call.json().error, 'not_found')
})
