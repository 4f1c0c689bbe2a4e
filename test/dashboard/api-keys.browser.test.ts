// API keys in the dashboard: created with selected scopes, shown once, revoked.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopesOf } from '../../src/identity/permissions.ts'
import { key_scopes } from '../../web/dashboard/src/api/key-scopes.ts'
import { no_browser, openPage } from '../support/browser.ts'
import { clickAndReadClipboard, logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import { recordSecret } from '../support/secrets.ts'

const { call, people, url } = await startFlorin()
const options = { skip: no_browser }
const permissions = ['clipboard-read', 'clipboard-write']

test('the scope picker offers exactly the scopes of the server', () => {
  const offered = (kind: 'account' | 'platform') =>
    key_scopes[kind].flatMap(({ noun, may }) => may.map((access) => `${noun}:${access}`))
  assert.deepEqual([...offered('account'), '*'].sort(), scopesOf('account_key').sort())
  assert.deepEqual([...offered('platform'), '*'].sort(), scopesOf('platform').sort())
})

test('creates a key with scopes, shows it once and revokes it', options, async () => {
  const owner = await people.owner()
  const page = await openPage({ permissions })
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/api-keys`)
  await page.getByText('No API keys yet').waitFor()
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Web shop')
  await eventually(() => dialog.getByRole('button', { name: 'Create key' }).isDisabled(), true)
  await dialog.getByLabel('accounts:read').check()
  await dialog.getByLabel('transactions:write').check()
  await eventually(() => dialog.getByLabel('users:read').count(), 0)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const key = await clickAndReadClipboard(
    page,
    dialog.getByRole('button', { name: 'Copy API key' }),
  )
  recordSecret(key)
  assert.match(key, /^sk_sandbox_/)
  assert.equal((await call('GET', '/v1/account', { token: key })).status, 200)
  assert.equal((await call('GET', '/v1/transactions', { token: key })).status, 401)
  await dialog.getByRole('button', { name: 'Done' }).click()
  const table = page.getByRole('table', { name: 'API keys' })
  await table.getByTitle('accounts:read, transactions:write').waitFor()
  await page.reload()
  await table.getByText(`…${key.slice(-4)}`, { exact: true }).waitFor()
  assert.doesNotMatch((await page.textContent('body'))!, /sk_sandbox_/)

  await table.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('alertdialog').getByText('Revoke Web shop?').waitFor()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await table.getByText('Revoked').waitFor()
  assert.equal((await call('GET', '/v1/account', { token: key })).status, 401)
  await page.context().close()
})

test('shows platform keys only to admins without a selected account', options, async () => {
  const owner = await people.owner()
  const page = await openPage({ permissions })
  await logInToDashboard(page, url, await people.admin())
  await page.goto(`${url}/dashboard/api-keys`)
  await page.getByText('Platform keys can act on all accounts.').waitFor()
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Marketplace')
  await dialog.getByLabel('accounts:read').check()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const key = await clickAndReadClipboard(
    page,
    dialog.getByRole('button', { name: 'Copy API key' }),
  )
  recordSecret(key)
  assert.equal((await call('GET', '/v1/accounts', { token: key })).status, 200)
  await page.goto(`${url}/dashboard/api-keys?account=${owner.account_id}`)
  await page.getByText('No API keys yet').waitFor()
  await eventually(() => page.getByText('Platform keys can act on all accounts.').count(), 0)
  await page.context().close()
})
