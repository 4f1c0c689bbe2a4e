// Empty lists show a curl command that fills them, and the command works as is.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { no_browser, openPage } from '../support/browser.ts'
import { logInToDashboard, unfold } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import { credentials, type Person } from '../support/people.ts'
import { recordSecret } from '../support/secrets.ts'
import { makeEndpoint } from '../webhooks/run-dispatcher.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const { call, people, url } = florin
const options = { skip: no_browser }

/** Runs the curl command on the page, with the token in place of its variable. */
async function runCommand(page: Page, about: string, token: string, typed: object = {}) {
  const text = (await page.locator('code').filter({ hasText: about }).first().textContent())!
  assert.match(text, /-H "Authorization: Bearer \$FLORIN_(API_KEY|TOKEN)"/)
  const words = shellWords(text, token)
  const given = (option: string) =>
    words.filter((_, at) => words[at - 1] === option).map((word) => word.replace(/^"|"$/g, ''))
  const headers = Object.fromEntries(given('-H').map((line) => line.split(': ', 2)))
  const { origin, pathname } = new URL(words.find((word) => word.startsWith('http'))!)
  assert.equal(origin, url)
  const body = given('-d').map((json) => ({ ...JSON.parse(json), ...typed }))[0]
  const response = await call(given('-X')[0]!, pathname, { headers, body })
  assert.ok(response.status < 300, `${text} ${response.text}`)
  if (response.body.secret) recordSecret(response.body.secret)
  return response.body
}

/** Splits the command with a real shell, to test its quoting. */
function shellWords(line: string, token: string): string[] {
  const script = `curl() { printf '%s\\n' "$@"; }; ${line}`
  const env = { FLORIN_API_KEY: token, FLORIN_TOKEN: token }
  return execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).trimEnd().split('\n')
}

async function open(page: Page, who: Person, path: string): Promise<void> {
  await page.context().clearCookies()
  await logInToDashboard(page, url, who)
  await page.goto(`${url}/dashboard${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

test('creates transactions, payments and subscriptions in any currency', options, async () => {
  const page = await openPage()
  for (const [path, about] of [
    ['/transactions', '/v1/transactions'],
    ['/statement', '/v1/transactions'],
    ['', '/v1/transactions'],
    ['/payments', '/v1/payments'],
    ['/subscriptions', '/v1/subscriptions'],
  ] as const) {
    const owner = await people.owner()
    const settings = { currency: 'KWD' }
    await call('PATCH', '/v1/account', { token: owner.token, body: { settings } })
    await open(page, owner, path)
    const line = page.locator('code').filter({ hasText: about }).first()
    await eventually(() => line.textContent(), /"currency":"KWD"/)
    // The manual processor takes no cards, so the page must not mention the test card.
    if (path === '') await page.getByText('The operator marks the request as paid').waitFor()
    const created = await runCommand(page, about, owner.token)
    assert.equal(created.currency, 'KWD')
  }
  await page.context().close()
})

test('adds an endpoint, sends a test event and replays a missed event', options, async () => {
  const owner = await people.owner()
  const page = await openPage()
  await open(page, owner, '/webhooks')
  const added = await runCommand(page, '/v1/webhook_endpoints', owner.token)
  assert.match(added.id, /^we_/)
  await page.reload()
  const sent = await runCommand(page, '/test', owner.token)
  assert.equal(sent.endpoint_id, added.id)
  await page.reload()
  await page.getByRole('table', { name: 'Deliveries' }).getByText('webhook_endpoint.test').waitFor()

  const late = await people.owner()
  const [event] = (await call('GET', '/v1/events', { token: late.token })).body.data
  await open(page, late, `/events/${event.id}`)
  await page.getByText('Add an endpoint, then replay the missed events:').waitFor()
  await unfold(page, 'API request')
  await page.locator('code').filter({ hasText: '"events":["*"]' }).waitFor()
  const endpoint = await makeEndpoint(florin, late, 'http://127.0.0.1:9/hook')
  await page.reload()
  await page.getByText('Send this event and all later ones now:').waitFor()
  const replayed = await runCommand(page, '/replay', late.token)
  assert.equal(replayed.id, endpoint.id)
  assert.equal(replayed.replay.after, event.sequence - 1)
  await page.context().close()
})

test('creates an API key', options, async () => {
  const owner = await people.owner()
  const page = await openPage()
  await open(page, owner, '/api-keys')
  const key = await runCommand(page, '/v1/api_keys', owner.token)
  recordSecret(key.key)
  await page.reload()
  await page.getByRole('table', { name: 'API keys' }).getByText(key.name).waitFor()
  await page.context().close()
})

test('creates an account for a user without one', options, async () => {
  // The apostrophe tests the shell quoting.
  const who = credentials("o'neil")
  const signed_up = await call('POST', '/v1/users', { body: who })
  assert.equal(signed_up.status, 201, signed_up.text)
  const lone = await people.session(who)
  const page = await openPage()
  await open(page, lone, '')
  await page.getByText('an access token from POST /v1/auth/login').waitFor()
  const { password } = lone
  const account = await runCommand(page, '/v1/accounts', lone.token, { password })
  assert.equal(account.email, lone.email)
  await page.context().close()
})

test('the command of an admin names the selected account', options, async () => {
  const admin = await people.admin()
  const owner = await people.owner()
  const page = await openPage()
  await open(page, admin, `/webhooks?account=${owner.account_id}`)
  const added = await runCommand(page, '/v1/webhook_endpoints', admin.token)
  assert.equal(added.account_id, owner.account_id)
  await page.context().close()
})

test('creates users and accounts on an empty server', options, async () => {
  const admin = await people.admin()
  const page = await openPage()
  await logInToDashboard(page, url, admin)
  const pagination = { page: 1, limit: 25, total: 0, has_next: false }
  const none = { data: [], has_more: false, pagination }
  await page.route(/dashboard\/api\/v1\/(users|accounts|audit_log)/, (route) =>
    route.fulfill({ json: none }),
  )
  for (const [path, about] of [
    ['/audit', '/v1/users'],
    ['/users', '/v1/users'],
    ['/accounts', '/v1/accounts'],
  ] as const) {
    await page.goto(`${url}/dashboard${path}`)
    const created = await runCommand(page, about, admin.token)
    await call('DELETE', `/v1/users/${created.id}`, { token: admin.token })
  }
  await page.context().close()
})
