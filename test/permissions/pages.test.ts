// Every combination of caller and link at the pages, and every caller at the dashboard's session. A
// page requires no token, and sending one must not change the response. None of these requests may
// change anything, so the database is hashed around them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLink, default_locale } from '../../src/identity/one-time-links/link.ts'
import { operator } from '../../src/identity/sessions/actor.ts'
import { addUser } from '../../src/identity/users/add-user.ts'
import { createSetupLink } from '../../src/identity/users/create-admin.ts'
import { findUuid, newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { newSecret, sha256 } from '../../src/primitives/secrets.ts'
import type { ApiResponse } from '../support/call.ts'
import { logInForCookie, same_origin_headers } from '../support/cookie-login.ts'
import { live_env, startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import { credentials } from '../support/people.ts'
import { recordSecret } from '../support/secrets.ts'
import { Fixtures, invalidCallers } from './fixtures.ts'
import { type Cell, recordCells, withoutRequestId } from './grid.ts'
import { documents, pages } from './page-cells.ts'

type LinkKind = Parameters<typeof createLink>[1]

const florin = await startFlorin()
const live = await florin.startSecondServer(live_env)
const fixtures = new Fixtures(florin)
const people = ['member', 'viewer', 'owner', 'owner2', 'lone', 'platform', 'admin']
const callers = [...Object.keys(invalidCallers), ...people, 'key:*', 'key2:*', 'platform_key:*']
const unknown_refund = toTypeId('transaction', newUuid(Date.now()))
const form = { 'content-type': 'application/x-www-form-urlencoded' }

async function expectOk(method: string, path: string, token: string, body?: unknown) {
  const response = await florin.call(method, path, { token, body })
  assert.ok(response.status < 300, response.text)
  return response.body
}

const pathOf = (url: string) => new URL(url).pathname

async function paymentLinks(): Promise<Record<string, string>> {
  const { token, account_id } = await fixtures.owner('owner')
  const body = { account_id, amount: 100, currency: 'USD', customer_email: 'c@example.com' }
  const [pending, ended] = [
    await expectOk('POST', '/v1/payments', token, body),
    await expectOk('POST', '/v1/payments', token, body),
  ]
  await expectOk('POST', `/v1/payments/${ended.id}/cancel`, token)
  return { live: pathOf(pending.payment_url), ended: pathOf(ended.payment_url) }
}

async function reusableLinks(): Promise<Record<string, string>> {
  const { token } = await fixtures.owner('owner')
  const create = (active: boolean) =>
    expectOk('POST', '/v1/payment_links', token, { title: 'Class', amount: 100, active })
  return { live: pathOf((await create(true)).url), ended: pathOf((await create(false)).url) }
}

async function setupLinks(): Promise<Record<string, string>> {
  const [ended, unused] = [await createSetupLink(florin.db), await createSetupLink(florin.db)]
  return { live: `/setup/${recordSecret(unused!)}`, ended: `/setup/${recordSecret(ended!)}` }
}

async function emailLink(): Promise<string> {
  const owner = await florin.people.owner()
  const { email } = credentials('new')
  await live.call('PATCH', '/v1/account', { token: owner.token, body: { email } })
  const { rows } = await florin.db.pool.query(
    `select content::json -> 'facts' ->> 'url' as url from emails
     where account_id = $1 and kind = 'email_verification'`,
    [findUuid('account', owner.account_id)],
  )
  return pathOf(rows[0].url)
}

async function emailLinks(): Promise<Record<string, string>> {
  const [ended, unused] = [await emailLink(), await emailLink()]
  assert.equal((await live.call('POST', ended, { headers: form })).status, 200)
  return { live: unused, ended }
}

async function joinLinks(): Promise<Record<string, string>> {
  const { token } = await florin.people.owner()
  const invite = async () => {
    const { email } = credentials('new')
    const body = { email, role: 'viewer' }
    const { id } = await expectOk('POST', '/v1/account/invitations', token, body)
    const { rows } = await florin.db.pool.query(
      `select content::json -> 'facts' ->> 'url' as url from emails where recipient = $1`,
      [email],
    )
    return { id, path: pathOf(rows[0].url) }
  }
  const [ended, unused] = [await invite(), await invite()]
  await expectOk('DELETE', `/v1/account/invitations/${ended.id}`, token)
  return { live: unused.path, ended: ended.path }
}

/** Links of a pending user, who can use both kinds. */
async function userLinks(page: string, kind: LinkKind): Promise<Record<string, string>> {
  const [ended, unused] = [await userLink(kind), await userLink(kind)]
  await florin.db.pool.query(
    `update one_time_links set expires_at = now() - interval '1 second' where token_hash = $1`,
    [sha256(ended)],
  )
  return { live: `/${page}/${recordSecret(unused)}`, ended: `/${page}/${recordSecret(ended)}` }
}

function userLink(kind: LinkKind): Promise<string> {
  const user = { ...credentials('new'), name: null, role: 'lone', status: 'pending' } as const
  const password_hash = 'a hash'
  return florin.db.transaction(async (tx) => {
    const { id } = await addUser(tx, operator, undefined, { ...user, password_hash })
    const expires_at = new Date(Date.now() + 3_600_000)
    return createLink(tx, kind, { ...user, id, password_hash }, default_locale, expires_at)
  })
}

// Created before the first admin exists, because setup links are not issued afterwards.
const setup = await setupLinks()
const found: Record<string, Record<string, string>> = {
  setup,
  pay: await paymentLinks(),
  l: await reusableLinks(),
  'confirm-email': await emailLinks(),
  join: await joinLinks(),
  reset: await userLinks('reset', 'password_reset'),
  verify: await userLinks('verify', 'email_verification'),
}

/** Returns the path of a link. The callers share the malformed ones. */
function pathOfLink(page: string, link: string, at: number): string {
  const real = found[page]!.live!
  const malformed = ['x', '%00', '%ff', '..%2f', `${real.split('/').at(-1)}x`, 'A'.repeat(43)]
  if (link === 'badid') return `/${page}/${malformed[at % malformed.length]}`
  return found[page]![link] ?? `/${page}/${newSecret('')}`
}

type StatusByLink = Record<string, number>

// A form without its token, or from another site, is rejected even for a live link. The setup link
// is dead because an admin exists; test/pages/setup.browser.test.ts covers it without one.
const expected: Record<string, StatusByLink> = {
  'GET /pay/{}': { live: 200, ended: 200, unknown: 404, badid: 404 },
  'POST /pay/{}': { live: 403, ended: 200, unknown: 404, badid: 404 },
  // Without a return URL it redirects to the payment page.
  'GET /pay/{}/return': { live: 303, ended: 303, unknown: 404, badid: 404 },
  // Nothing was paid; test/documents has the links of paid requests.
  'GET /pay/{}/receipt': { live: 404, ended: 404, unknown: 404, badid: 404 },
  'GET /pay/{}/credit-note/{}': { live: 404, ended: 404, unknown: 404, badid: 404 },
  'GET /l/{}': { live: 200, ended: 200, unknown: 404, badid: 404 },
  'POST /l/{}': { live: 403, ended: 200, unknown: 404, badid: 404 },
  'GET /setup/{}': { live: 404, ended: 404, unknown: 404, badid: 404 },
  'POST /setup/{}': { live: 404, ended: 404, unknown: 404, badid: 404 },
  'GET /confirm-email/{}': { live: 200, ended: 404, unknown: 404, badid: 404 },
  'POST /confirm-email/{}': { live: 403, ended: 404, unknown: 404, badid: 404 },
  'GET /join/{}': { live: 200, ended: 404, unknown: 404, badid: 404 },
  'POST /join/{}': { live: 403, ended: 404, unknown: 404, badid: 404 },
  'GET /reset/{}': { live: 200, ended: 404, unknown: 404, badid: 404 },
  'POST /reset/{}': { live: 403, ended: 404, unknown: 404, badid: 404 },
  'GET /verify/{}': { live: 200, ended: 404, unknown: 404, badid: 404 },
  'POST /verify/{}': { live: 403, ended: 404, unknown: 404, badid: 404 },
}

/** Their forms have no token: a form from another site is rejected. */
const one_time_pages = new Set(['confirm-email', 'join', 'reset', 'verify'])

async function headersOf(caller: string): Promise<Record<string, string>> {
  const authorization = await fixtures.authorization(caller)
  return authorization === undefined ? {} : { authorization }
}

const bare = (response: ApiResponse, link: string) =>
  // Removes what differs in each response: the request id and the form token.
  withoutRequestId(response)
    .replaceAll(/req_[0-9a-z]{26}/g, 'req_')
    .replaceAll(/name=\\?"form_(?:token|id)\\?" value=\\?"[^"]*"/g, link)

for (const [endpoint, statuses] of Object.entries(expected)) {
  test(`${endpoint} ignores bearer tokens and changes nothing`, async () => {
    const [method, page] = [endpoint.split(' ')[0]!, endpoint.split('/')[1]!]
    const tail = endpoint.slice(endpoint.indexOf('{}') + 2).replace('{}', unknown_refund)
    const all = await Promise.all(callers.map(headersOf))
    await assertNoChanges(florin.db.pool, async () => {
      for (const [link, status] of Object.entries(statuses)) {
        const distinct = new Set<string>()
        for (const [at, caller] of callers.entries()) {
          if (!isSent(caller, link, statuses)) continue
          const path = pathOfLink(page, link, at)
          const cross = one_time_pages.has(page) && link === 'live'
          const site: Record<string, string> = cross ? { 'sec-fetch-site': 'cross-site' } : {}
          const headers = { ...all[at], ...(method === 'POST' && { ...form, ...site }) }
          const { call } = page === 'confirm-email' ? live : florin
          const response = await call(method, path + tail, {
            headers,
            ...(method === 'POST' && { body: 'x=1' }),
          })
          assert.equal(response.status, status, `${caller} on ${link} ${path}: ${response.text}`)
          distinct.add(bare(response, link))
        }
        assert.equal(distinct.size, 1, `${link}: responses differ: ${[...distinct].join('\n')}`)
      }
    })
    const cells = callers.flatMap((caller) => cellsFor(caller, statuses))
    recordCells(
      endpoint,
      cells.filter(({ caller, object }) => isSent(caller, object, statuses)),
    )
  })
}

/** Invalid callers share the links, as they share the objects of a grid. */
function isSent(caller: string, link: string, statuses: StatusByLink): boolean {
  const at = Object.keys(invalidCallers).indexOf(caller)
  const links = Object.keys(statuses)
  return at === -1 || at % links.length === links.indexOf(link)
}

function cellsFor(caller: string, statuses: StatusByLink): Cell[] {
  return Object.entries(statuses).map(([object, status]) => ({
    caller,
    object,
    outcome: `${status}`,
  }))
}

for (const path of ['/signup', '/reset']) {
  test(`${path} ignores bearer tokens`, async () => {
    const all = await Promise.all(callers.map(headersOf))
    const [shown, submitted] = [new Set<string>(), new Set<string>()]
    await assertNoChanges(florin.db.pool, async () => {
      for (const headers of all) {
        const page = await florin.call('GET', path, { headers })
        const fields = { headers: { ...headers, ...form }, body: 'x=1' }
        const faults = await florin.call('POST', path, fields)
        assert.deepEqual([page.status, faults.status], [200, 400])
        shown.add(bare(page, ''))
        submitted.add(bare(faults, ''))
      }
    })
    assert.deepEqual([shown.size, submitted.size], [1, 1], 'responses differ')
    const cells = (status: number) =>
      callers.map((caller) => ({ caller, object: 'form', outcome: String(status) }))
    recordCells(`GET ${path}`, cells(200))
    recordCells(`POST ${path}`, cells(400))
  })
}

test('the dashboard session ignores bearer tokens', async () => {
  const all = await Promise.all(callers.map(headersOf))
  const body = { email: 'a@example.com', password: 'wrong' }
  const cells = (status: number) =>
    callers.map((caller) => ({ caller, object: 'no_cookie', outcome: String(status) }))
  await assertNoChanges(florin.db.pool, async () => {
    for (const headers of all) {
      const current = await florin.call('GET', '/dashboard/api/session', { headers })
      assert.deepEqual([current.status, current.body.user], [200, null])
      const session = '/dashboard/api/session'
      assert.equal((await florin.call('POST', session, { headers, body })).status, 403)
      assert.equal((await florin.call('DELETE', session, { headers })).status, 403)
      for (const more of ['passkey', 'passkey_options', 'confirm']) {
        const path = `${session}/${more}`
        assert.equal((await florin.call('POST', path, { headers, body: {} })).status, 403, more)
      }
      const out = await florin.call('DELETE', session, {
        headers: { ...headers, ...same_origin_headers },
      })
      assert.equal(out.status, 200, 'logging out without a cookie succeeds')
      const read = await florin.call('GET', '/dashboard/api/v1/account', { headers })
      assert.equal(read.status, 401)
    }
  })
  recordCells('GET /dashboard/api/session', cells(200))
  recordCells('POST /dashboard/api/session', cells(403))
  recordCells('DELETE /dashboard/api/session', cells(403))
  for (const more of ['passkey', 'passkey_options', 'confirm']) {
    recordCells(`POST /dashboard/api/session/${more}`, cells(403))
  }
})

test('without a provider the pages of its login do not exist for any caller', async () => {
  const all = await Promise.all(callers.map(headersOf))
  const endpoints = Object.keys(pages).filter((name) => name.includes('/oidc/'))
  assert.equal(endpoints.length, 4)
  await assertNoChanges(florin.db.pool, async () => {
    for (const endpoint of endpoints) {
      const [method, path] = endpoint.split(' ') as [string, string]
      for (const headers of all) {
        const options = method === 'POST' ? { headers: { ...headers, ...form } } : { headers }
        assert.equal((await florin.call(method, path, options)).status, 404, endpoint)
      }
    }
  })
  for (const endpoint of endpoints) {
    const cells = callers.map((caller) => ({ caller, object: 'no_provider', outcome: '404' }))
    recordCells(endpoint, cells)
  }
})

/** Returns a path with invalid ids and a body with unknown fields. */
function requestFor(method: string, pattern: string) {
  const path = pattern.replaceAll(/\{\w+\}/g, 'x').replace('/stream', '/stream?after=999999')
  return { path, ...(method !== 'GET' && { body: { nonsense: true } }) }
}

test('at every endpoint the cookie gives the same access as the token', async () => {
  const { body: description } = await florin.call('GET', '/openapi.json')
  const operations = Object.entries<Record<string, object>>(description.paths).flatMap(
    ([path, methods]) =>
      Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
  )
  const api_operations = operations.filter(([, path]) =>
    /^\/v1\/(?!auth\/(login|refresh|password_reset|passkeys))/.test(path),
  )
  assert.ok(api_operations.length > 55)
  const sent = await Promise.all(
    people.map(async (name) => {
      const person = await fixtures.person(name)
      return { name, token: person.token, cookie: await logInForCookie(florin.call, person) }
    }),
  )
  await assertNoChanges(florin.db.pool, async () => {
    for (const { name, token, cookie } of sent) {
      for (const [method, pattern] of api_operations) {
        const { path, ...more } = requestFor(method, pattern)
        const by_token = await florin.call(method, path, { token, ...more })
        const headers = { ...same_origin_headers, cookie }
        const by_cookie = await florin.call(method, `/dashboard/api${path}`, { headers, ...more })
        const where = `${name} ${method} ${pattern}`
        assert.equal(by_cookie.status, by_token.status, where)
        if (by_token.status >= 400) assert.equal(by_cookie.text, by_token.text, where)
        if (method !== 'GET') assert.ok(by_token.status >= 400, where)
      }
    }
  })
})

test('every route is in the OpenAPI document, a page, or a static document', async () => {
  const { body: description } = await florin.call('GET', '/openapi.json')
  const described = new Set(
    Object.keys(description.paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}')),
  )
  const page_paths = new Set(Object.keys(pages).map((name) => name.split(' ')[1]))
  const routes = readRoutes(florin.app.printRoutes({ commonPrefix: false }))
  assert.ok(routes.length > 60, `${routes.length}`)
  const others = routes.filter((path) => !described.has(path) && !page_paths.has(path))
  assert.deepEqual(
    others.filter((path) => !documents.some((known) => known.test(path))),
    [],
  )
})

/** Parses the paths from the router's tree printout. */
function readRoutes(printed: string): string[] {
  const open: string[] = []
  const found: string[] = []
  for (const line of printed.split('\n')) {
    const [, indent, part, methods] = /^([│ ]*)[├└]── (\S*)(?: \((.*)\))?$/.exec(line) ?? []
    if (indent === undefined) continue
    open.length = indent.length / 4
    open.push(part!)
    if (methods) found.push(open.join('').replaceAll(/:\w+/g, '{}'))
  }
  return found
}
