import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import { buildApp } from '../../src/http/app.ts'
import { createSetupLink } from '../../src/identity/users/create-admin.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import { axeViolations, no_browser, openPage } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import { credentials } from '../support/people.ts'
import { newPassword, recordSecret } from '../support/secrets.ts'
import { watchRefusals } from '../support/watch-refusals.ts'

const florin = watchRefusals(await startFlorin())

async function newLink(): Promise<string> {
  return `/setup/${recordSecret((await createSetupLink(florin.db))!)}`
}

function post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const body = new URLSearchParams(fields)
  return fetch(florin.url + path, { method: 'POST', body, headers, redirect: 'manual' })
}

function assertIsPage(headers: Headers): void {
  const policy = headers.get('content-security-policy') ?? ''
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(policy, /^default-src 'none'; style-src 'sha256-[^']+'/)
  assert.match(policy, /form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/)
  assert.doesNotMatch(policy, /unsafe|https?:|script-src/)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('referrer-policy'), 'no-referrer')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('x-robots-tag'), 'noindex')
  assert.match(headers.get('request-id') ?? '', /^req_/)
}

/** The hint or error text of a field. */
function noteOf(text: string, field: string): string | undefined {
  return new RegExp(`id="${field}-note">(?:<svg[^]*?</svg>)?([^<]*)<`).exec(text)?.[1]
}

test('the link shows the form each time it is opened', async () => {
  const link = await newLink()
  for (const method of ['GET', 'HEAD', 'GET']) {
    const response = await florin.call(method, link)
    assert.equal(response.status, 200)
    assertIsPage(response.headers)
    if (method === 'GET') assert.match(response.text, /<h1>Create the first admin<\/h1>/)
  }
})

test('a newer link invalidates the older one', async () => {
  const old = await newLink()
  await newLink()
  const response = await florin.call('GET', old)
  assert.equal(response.status, 404)
  assertIsPage(response.headers)
  assert.match(response.text, /This link does not work/)
})

test('an additional link leaves the others valid', async () => {
  const first = await newLink()
  const second = recordSecret((await createSetupLink(florin.db, { additional: true }))!)
  await florin.db.pool.query(
    "insert into setup_links values (sha256('old'), now() - interval '1 s')",
  )
  recordSecret((await createSetupLink(florin.db, { additional: true }))!)
  assert.equal((await florin.call('GET', first)).status, 200)
  assert.equal((await florin.call('GET', `/setup/${second}`)).status, 200)
  const { rows } = await florin.db.pool.query('select count(*)::int as n from setup_links')
  assert.equal(rows[0].n, 3, 'expired links are deleted')
})

test('the link expires after one hour', async () => {
  const link = await newLink()
  const person = credentials('late')
  const advanceTo = (time: string) =>
    florin.db.pool.query('update setup_links set expires_at = expires_at - $1::interval', [time])
  await advanceTo('59 min')
  assert.equal((await florin.call('GET', link)).status, 200)
  await advanceTo('1 min')
  const responses = [await fetch(florin.url + link), await post(link, person)]
  for (const response of responses) {
    assert.equal(response.status, 404)
    assertIsPage(response.headers)
    assert.match(await response.text(), /This link does not work/)
  }
  const { email, password } = person
  const login = await florin.call('POST', '/v1/auth/login', { body: { email, password } })
  assert.equal(login.status, 401, 'no user was created')
})

test('shows each error at its field and does not return the password', async () => {
  const link = await newLink()
  const response = await post(link, { email: 'ann@', name: 'Ann <b>', password: 'short1!' })
  const text = await response.text()
  assert.equal(response.status, 400)
  assertIsPage(response.headers)
  assert.equal(noteOf(text, 'email'), 'Enter an email address such as ann@example.com.')
  assert.equal(
    noteOf(text, 'password'),
    'The password must have at least 8 characters; got 7. Use a longer password.',
  )
  assert.match(text, /value="ann@" aria-describedby="email-note" aria-invalid="true" autofocus>/)
  assert.match(text, /value="Ann &lt;b&gt;"/)
  assert.doesNotMatch(text, /short1!/)
  assert.match(text, /<title>Error: /)
})

test('checks the password length after NFKC normalization', async () => {
  const link = await newLink()
  const password = recordSecret('\ufdfa'.repeat(8))
  const response = await post(link, { email: 'ann@example.com', name: '', password })
  assert.equal(response.status, 400)
  assert.equal(
    noteOf(await response.text(), 'password'),
    'Choose a password of at most 128 characters.',
  )
  // Two code points each before normalization and one after it, so only the email is invalid.
  const composed = newPassword() + 'e\u0301'.repeat(70)
  const fine = await post(link, { email: 'ann@', name: '', password: composed })
  assert.equal(
    noteOf(await fine.text(), 'email'),
    'Enter an email address such as ann@example.com.',
  )
  assert.doesNotMatch(
    await (await post(link, { email: 'ann@', password: composed })).text(),
    /at most/,
  )
})

test('shows errors for empty, undecodable and repeated fields', async () => {
  const link = await newLink()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const body of ['', 'email=%ff&password=%00&name=%e2%80%8b', 'email=a@b.c&email=a@b.c']) {
    const response = await florin.call('POST', link, { body, headers: type })
    assert.equal(response.status, 400)
    assert.match(noteOf(response.text, 'email') ?? '', /^Enter an email address/)
    assert.match(noteOf(response.text, 'password') ?? '', /^Choose a password/)
  }
  const none = await florin.call('POST', link)
  assert.equal(none.status, 400)
})

test('rejects a form submitted from another site', async () => {
  const link = await newLink()
  const fields = credentials('foreign')
  for (const site of ['cross-site', 'same-site']) {
    const response = await post(link, fields, { 'sec-fetch-site': site, origin: 'null' })
    assert.equal(response.status, 403)
    assertIsPage(response.headers)
    assert.match(await response.text(), /submitted from another site/)
  }
  assert.equal((await florin.call('GET', link)).status, 200)
})

test('rejects the email of an existing user', async () => {
  const lone = await florin.people.lone()
  const response = await post(await newLink(), { email: lone.email, password: newPassword() })
  assert.equal(response.status, 400)
  assert.equal(
    noteOf(await response.text(), 'email'),
    'A user with this email already exists and cannot become an admin. Enter another email.',
  )
})

test('HTTP errors are HTML pages', async () => {
  const link = await newLink()
  const big = await florin.call('POST', link, {
    body: `email=${'x'.repeat(200_000)}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  const cases = [
    [await florin.call('GET', '/setup'), 404, /Page not found/],
    [await florin.call('GET', '/setup/a/b'), 404, /Page not found/],
    [await florin.call('GET', '/setup/%ff'), 404, /This link does not work/],
    [await florin.call('DELETE', link), 405, /This path supports GET, HEAD, POST; got DELETE\./],
    [await florin.call('POST', link, { body: {} }), 415, /application\/x-www-form-urlencoded/],
    [big, 413, /The request body is too large/],
  ] as const
  for (const [response, status, text] of cases) {
    assert.equal(response.status, status)
    assertIsPage(response.headers)
    assert.match(response.text, text)
  }
})

test('returns 429 with Retry-After as a page', async () => {
  const slow = await florin.startSecondServer({ FLORIN_RATE_LIMIT: '1' })
  const requests = [1, 2, 3].map(() => fetch(`${slow.url}/setup/guess`, { method: 'POST' }))
  const refused = (await Promise.all(requests)).find(({ status }) => status === 429)
  assert.ok(refused)
  assertIsPage(refused.headers)
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  assert.match(await refused.text(), /Too many requests/)
})

test('returns 503 without the database and leaks nothing in a 500', async () => {
  const db = openDatabase({ host: '/nowhere' })
  const log = pino({ level: 'silent' })
  const app = await buildApp({ db, log, config: readConfig({}), version: '0.0.0-test' })
  const away = await app.inject('/setup/any')
  await db.close()
  const broken = await app.inject('/setup/any')
  await app.close()
  assert.equal(away.statusCode, 503)
  assertIsPage(new Headers(away.headers as Record<string, string>))
  assert.match(away.body, /Florin is temporarily unavailable/)
  assert.equal(broken.statusCode, 500)
  assertIsPage(new Headers(broken.headers as Record<string, string>))
  assert.match(broken.body, /Contact the operator and include the Request-Id below\./)
  assert.doesNotMatch(broken.body, /pool/)
})

// Both widths and both themes, but not every combination: axe takes a second per page.
const views = [
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  { viewport: { width: 1280, height: 820 }, colorScheme: 'light' },
] as const

test('the form works in a browser without scripts', { skip: no_browser }, async () => {
  const link = await newLink()
  for (const view of views) {
    const page = await openPage(view)
    await page.goto(florin.url + link)
    assert.deepEqual(await axeViolations(page), [])
    await page.fill('#email', 'ann@')
    await page.click('button')
    assert.deepEqual(await axeViolations(page), [])
    await eventually(() => page.evaluate('document.activeElement.id'), 'email')
    await eventually(
      () => page.evaluate('document.documentElement.scrollWidth'),
      view.viewport.width,
    )
    await page.goto(`${florin.url}/setup/unknown`)
    assert.deepEqual(await axeViolations(page), [])
    await page.goto(`${florin.url}/setup/not/there`)
    assert.deepEqual(await axeViolations(page), [])
  }
})

test('concurrent submissions create one admin, and the link stops working', async () => {
  const link = await newLink()
  const people = [1, 2, 3, 4].map(() => credentials("o'hara"))
  const responses = await Promise.all(people.map((person) => post(link, person)))
  assert.deepEqual(responses.map(({ status }) => status).sort(), [303, 404, 404, 404])
  const at = responses.findIndex(({ status }) => status === 303)
  const { email, password } = people[at]!
  const { headers } = responses[at]!
  assert.equal(headers.get('location'), '/dashboard')
  assert.deepEqual(
    responses.map((response) => response.headers.has('set-cookie')),
    responses.map(({ status }) => status === 303),
  )
  const cookie = recordSecret(headers.get('set-cookie')!.split(';')[0]!)
  const session = await florin.call('GET', '/dashboard/api/session', { headers: { cookie } })
  assert.deepEqual([session.body.user.email, session.body.user.role], [email, 'admin'])

  const login = await florin.call('POST', '/v1/auth/login', { body: { email, password } })
  const users = await florin.call('GET', '/v1/users', { token: login.body.access_token })
  assert.equal(users.status, 200)
  assert.equal((await florin.call('GET', link)).status, 404)
  assert.equal((await post(link, credentials('late'))).status, 404)
  assert.equal(await createSetupLink(florin.db), undefined)
})
