// The request log pages, and its curl commands, which the tests run.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { curlOf, redactedFields } from '../../web/dashboard/src/pages/request-log/request-curl.ts'
import { no_browser, openPage } from '../support/browser.ts'
import { logInForCookie, same_origin_headers } from '../support/cookie-login.ts'
import { clickAndReadClipboard, logInToDashboard } from '../support/dashboard.ts'
import { startFlorin } from '../support/florin.ts'
import { waitFor } from '../webhooks/run-dispatcher.ts'

const { call, people, url } = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const options = { skip: no_browser }
const run = promisify(execFile)

const entry = {
  id: 'req_01h455vb4pex5vsknk084sn02q',
  account_id: 'acct_01h455vb4pex5vsknk084sn02q',
  created_at: '2026-11-15T09:30:00.000Z',
  method: 'POST',
  path: '/v1/payments?tag=[redacted]',
  status: 400,
  duration_ms: 3,
  caller: { kind: 'api_key', id: 'key_01h455vb4pex5vsknk084sn02q' },
  idempotency_key: true,
  error: 'invalid_request',
  request_body: `{"note":"it's $HOME","card":"[redacted]","list":[{"token":"[redacted]"}]}`,
  response_body: null,
} as const
const parts = { origin: 'http://florin.test', account: 'acct_1', idempotency_key: 'once' }

/** The arguments a shell passes to curl, without running curl. */
async function argumentsOf(command: string): Promise<string[]> {
  const script = command.replace(/^curl/, `printf '%s\\n'`)
  const { stdout } = await run('sh', ['-c', script], { env: { FLORIN_API_KEY: 'the key' } })
  return stdout.trimEnd().split('\n')
}

test('quotes the command correctly for a shell', async () => {
  assert.deepEqual(await argumentsOf(curlOf(entry, parts)), [
    '-g',
    '-X',
    'POST',
    'http://florin.test/v1/payments?tag=[redacted]',
    '-H',
    'Authorization: Bearer the key',
    '-H',
    'Florin-Account: acct_1',
    '-H',
    'Idempotency-Key: once',
    '-H',
    'Content-Type: application/json',
    '-d',
    entry.request_body,
  ])
  assert.deepEqual(redactedFields(entry), ['the URL', 'card', 'list.0.token'])
  const cut = { ...entry, path: '/v1/account', request_body: '{"note":"lon…' }
  assert.equal((await argumentsOf(curlOf(cut, parts))).at(-1), '@body.json')
  assert.deepEqual(redactedFields(cut), [])
  const got = { ...entry, method: 'GET', path: '/v1/a?b=c&d', request_body: null }
  assert.deepEqual(
    (await argumentsOf(curlOf({ ...got, idempotency_key: false }, parts)))[0],
    ['http://florin.test/v1/a?b=c&d'][0],
  )
})

async function openLog(page: Page, query = ''): Promise<void> {
  await page.goto(`${url}/dashboard/requests${query}`)
  await page.getByRole('heading', { name: 'Request log', level: 1 }).waitFor()
}

test('finds a request, shows it and replays it with its curl command', options, async () => {
  const owner = await people.owner()
  const api_key = await call('POST', '/v1/api_keys', {
    token: owner.token,
    body: { name: 'till', scopes: ['transactions:write', 'transactions:read'] },
  })
  const token: string = api_key.body.key
  const body = {
    account_id: owner.account_id,
    amount: 7500,
    currency: 'USD',
    type: 'payment',
    reference: "Ann's order",
  }
  const headers = { 'idempotency-key': 'once' }
  const paid = await call('POST', '/v1/transactions', { token, body, headers })
  await call('GET', '/v1/transactions/txn_unknown', { token })
  const log = () => call('GET', '/v1/request_logs', { token: owner.token })
  await waitFor('it is logged', async () => (await log()).body.data.length >= 3)

  const page = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
  await logInToDashboard(page, url, owner)
  await openLog(page)
  const rows = page.getByRole('table', { name: 'Requests' }).getByRole('link')
  await rows.first().waitFor()
  await page.getByLabel('Status').selectOption('4xx')
  await page.waitForURL(/status=4xx/)
  await rows.getByText('/v1/transactions/txn_unknown').waitFor()
  await page.getByLabel('Status').selectOption('')
  await page.getByLabel('Method').selectOption('POST')
  await page.getByLabel('Path starts with').fill('/v1/tr')
  await page.keyboard.press('Enter')
  await page.waitForURL(/method=POST&path=%2Fv1%2Ftr/)
  await waitFor('one row is left', async () => (await rows.count()) === 1)
  await page.reload()
  await rows.click()
  await page.waitForURL(`${url}/dashboard/requests/${paid.headers.get('request-id')}`)
  const details = page.getByRole('region', { name: 'Details' })
  await details.filter({ hasText: /API key.*Idempotency-KeySent/ }).waitFor()
  const response = page.getByRole('region', { name: 'Response body' })
  await response.filter({ hasText: paid.body.id }).waitFor()

  const command = await clickAndReadClipboard(
    page,
    page.getByRole('button', { name: 'Copy as curl' }),
  )
  assert.doesNotMatch(command, new RegExp(token))
  const { stdout } = await run('sh', ['-c', `${command} -sS`], {
    env: { ...process.env, FLORIN_API_KEY: token },
  })
  const again = JSON.parse(stdout)
  assert.equal(again.reference, "Ann's order")
  assert.notEqual(again.id, paid.body.id)
  await page.context().close()
})

test('opens the newest and the oldest entry, and reports a deleted one', options, async () => {
  const owner = await people.owner()
  const log = () => call('GET', '/v1/request_logs', { token: owner.token })
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  const ids: string[] = []
  const open = async (id: string) => {
    await page.goto(`${url}/dashboard/requests/${id}`)
    await page.getByRole('button', { name: 'Copy as curl' }).waitFor()
  }
  for (let count = 1; count <= 3; count++) {
    const response = await call('GET', '/v1/account', { token: owner.token })
    ids.push(response.headers.get('request-id')!)
    await waitFor('it is logged', async () => (await log()).body.data.length >= count)
    await open(ids.at(-1)!)
  }
  for (const id of ids) await open(id)
  await page.goto(`${url}/dashboard/requests/req_01h455vb4pex5vsknk084sn02q`)
  await page.getByText('Could not load this data').waitFor()
  await page.context().close()
})

test('logs changes made by the dashboard, but not its reads', async () => {
  const owner = await people.owner()
  const cookie = await logInForCookie(call, owner)
  const headers = { ...same_origin_headers, cookie }
  await call('GET', '/dashboard/api/v1/account', { headers })
  await call('POST', '/dashboard/api/v1/transactions', {
    headers,
    body: { account_id: owner.account_id, amount: 100, currency: 'USD', type: 'payment' },
  })
  await call('GET', '/v1/account', { token: owner.token })
  const log = async () => (await call('GET', '/v1/request_logs', { token: owner.token })).body.data
  await waitFor('both are logged', async () => (await log()).length >= 2)
  const logged = (await log()).map((one: typeof entry) => `${one.method} ${one.path}`)
  assert.deepEqual(logged, ['GET /v1/account', 'POST /v1/transactions'])
})
