// The start page, and errors as pages: browsers get HTML, programs get JSON.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import { buildApp } from '../../src/http/app.ts'
import { createSetupLink } from '../../src/identity/users/create-admin.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import { live_env, startFlorin } from '../support/florin.ts'
import { recordSecret } from '../support/secrets.ts'

const florin = await startFlorin()

/** What Chromium sends when a user opens a page. */
const browser = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
}

test('the start page links to the dashboard, sign-up and the docs', async () => {
  const { status, headers, text } = await florin.call('GET', '/', { headers: browser })
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
  assert.doesNotMatch(headers.get('content-security-policy')!, /script-src|unsafe/)
  for (const path of ['/dashboard', '/signup', '/docs', '/docs/api']) {
    assert.ok(text.includes(`href="${path}"`), path)
    assert.equal((await florin.call('GET', path, { headers: browser })).status, 200, path)
  }
  assert.match(text, /<\/span>Ready</)
  assert.match(text, /Sandbox, no real money/)
  assert.equal((await florin.call('HEAD', '/', { headers: browser })).status, 200)
})

test('explains where the setup link is, without showing it', async () => {
  const expired = await florin.call('GET', '/', { headers: browser })
  assert.match(expired.text, /Get a new setup link/)
  const token = recordSecret((await createSetupLink(florin.db))!)
  const { text } = await florin.call('GET', '/', { headers: browser })
  assert.match(text, /Florin printed it when it started/)
  assert.ok(!text.includes(token))
  await florin.people.admin()
  const later = await florin.call('GET', '/', { headers: browser })
  assert.doesNotMatch(later.text, /setup link|first admin/)
})

test('closed sign-up removes the link to it, and live mode is named', async () => {
  const live = await florin.startSecondServer(live_env)
  const { text } = await live.call('GET', '/', {
    headers: { ...browser, host: 'pay.example' },
  })
  assert.doesNotMatch(text, /\/signup/)
  assert.match(text, /Sign-up is closed/)
  assert.match(text, /Live, real money/)
})

test('programs get a list of addresses at /', async () => {
  const { status, headers, body } = await florin.call('GET', '/')
  assert.equal(status, 200)
  assert.match(headers.get('content-type')!, /^application\/json/)
  assert.deepEqual(body, {
    openapi_url: `${florin.config.public_url}/openapi.json`,
    docs_url: `${florin.config.public_url}/docs`,
    dashboard_url: `${florin.config.public_url}/dashboard`,
    readiness_url: `${florin.config.public_url}/readyz`,
  })
})

test('without the database the page reports that the server is not ready', async () => {
  const db = openDatabase({ host: '/nowhere' })
  const log = pino({ level: 'silent' })
  const app = await buildApp({ db, log, config: readConfig({}), version: '0.0.0-test' })
  const page = await app.inject({ url: '/', headers: browser })
  await app.close()
  await db.close()
  assert.equal(page.statusCode, 503)
  assert.match(page.body, /Not ready/)
  assert.match(page.body, /href="\/dashboard"/)
})

test('a browser gets errors as pages outside of the API', async () => {
  const cases = [
    ['GET', '/nope', 404, /<h1>Page not found<\/h1>/],
    ['GET', '/v2/users', 404, /<h1>Page not found<\/h1>/],
    ['POST', '/', 405, /This path supports GET, HEAD; got POST\./],
    ['GET', `/${'x'.repeat(8_200)}`, 414, /<h1>This address is too long<\/h1>/],
    ['POST', '/favicon.svg', 405, /This page does not support this action/],
  ] as const
  for (const [method, path, status, text] of cases) {
    const about = `${method} ${path.slice(0, 20)}`
    const page = await florin.call(method, path, { headers: browser })
    assert.equal(page.status, status, about)
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8', about)
    assert.match(page.text, text, about)
    assert.match(page.text, /<a href="\/">Go to the start page<\/a>/)
    assert.match(page.headers.get('request-id')!, /^req_/)
    const json = await florin.call(method, path)
    assert.equal(json.status, status, about)
    assert.deepEqual(Object.keys(json.body), ['error', 'message'], about)
  }
  const payer = await florin.call('GET', '/pay/unknown/path', { headers: browser })
  assert.doesNotMatch(payer.text, /Go to the start page/)
})

test('a flood of unknown pages gets 429 as a page', async () => {
  const slow = await florin.startSecondServer({ FLORIN_RATE_LIMIT: '1' })
  const send = () => slow.call('GET', '/nope', { headers: browser })
  const pages = await Promise.all([send(), send(), send()])
  const refused = pages.find(({ status }) => status === 429)
  assert.match(refused!.text, /<h1>Too many requests<\/h1>/)
  assert.match(refused!.headers.get('retry-after')!, /^\d+$/)
})

test('errors of the API are the same JSON for a browser', async () => {
  const paths = [
    ['GET', '/v1/account'],
    ['GET', '/v1/nope'],
    ['PUT', '/v1/users'],
    ['POST', '/v1/auth/login'],
    ['POST', '/openapi.json'],
    ['POST', '/livez'],
    ['GET', '/dashboard/api/v1/account'],
    ['GET', '/dashboard/api/nope'],
    ['GET', '/docs/nope.md'],
    ['GET', '/nope.txt'],
  ] as const
  for (const [method, path] of paths) {
    const [json, page] = [
      await florin.call(method, path),
      await florin.call(method, path, { headers: browser }),
    ]
    assert.ok(json.status >= 400, path)
    assert.deepEqual([page.status, page.text], [json.status, json.text], path)
    const type = 'application/json; charset=utf-8'
    assert.equal(page.headers.get('content-type'), type, path)
  }
})

test('the client chooses by the weights of Accept', async () => {
  const types = {
    'text/html': 'text/html; charset=utf-8',
    'TEXT/HTML; q=0.5, application/json;q=0.4': 'text/html; charset=utf-8',
    'application/json, text/html;q=0.9': 'application/json; charset=utf-8',
    'text/html;q=0, */*': 'application/json; charset=utf-8',
    'text/html;q=x': 'application/json; charset=utf-8',
    '*/*': 'application/json; charset=utf-8',
    '': 'application/json; charset=utf-8',
  }
  for (const [accept, type] of Object.entries(types)) {
    const { headers } = await florin.call('GET', '/nope', { headers: { accept } })
    assert.equal(headers.get('content-type'), type, accept)
  }
})

test('serves the icon in two formats, and robots.txt', async () => {
  const svg = await florin.call('GET', '/favicon.svg')
  assert.equal(svg.headers.get('content-type'), 'image/svg+xml')
  const ico = await fetch(`${florin.url}/favicon.ico`)
  assert.equal(ico.headers.get('content-type'), 'image/x-icon')
  assert.deepEqual([...new Uint8Array(await ico.arrayBuffer()).slice(0, 6)], [0, 0, 1, 0, 2, 0])
  const robots = await florin.call('GET', '/robots.txt')
  assert.equal(robots.headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.equal(robots.text, 'User-agent: *\nAllow: /$\nAllow: /docs\nDisallow: /\n')
})
