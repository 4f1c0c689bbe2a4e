// Login with a provider in a real browser. The provider is another site, so the browser applies
// SameSite to the cookies of Florin. The pages work without scripts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { axeViolations, no_browser, openPage } from '../../support/browser.ts'
import { assertAccessible } from '../../support/dashboard.ts'
import { startFlorin } from '../../support/florin.ts'
import { findFreePort } from '../../support/free-port.ts'
import { startOidcProvider } from '../../support/oidc-provider.ts'
import { recordSecret } from '../../support/secrets.ts'

const port = await findFreePort()
const callback = `http://127.0.0.1:${port}/dashboard/oidc/callback`
const provider = await startOidcProvider(callback, 'localhost')
const florin = await startFlorin({
  PORT: `${port}`,
  FLORIN_OIDC_ISSUER: provider.issuer,
  FLORIN_OIDC_CLIENT_ID: provider.client_id,
  FLORIN_OIDC_CLIENT_SECRET: provider.client_secret,
  FLORIN_OIDC_NAME: 'Acme SSO',
})
const { people, url } = florin
const options = { skip: no_browser }

async function recordCookies(page: Page): Promise<void> {
  for (const { value } of await page.context().cookies()) recordSecret(value)
}

test('a member links the login, logs in with it, and unlinks it', options, async () => {
  const member = await people.member(await people.owner())
  provider.person = { sub: 'member', email: member.email, email_verified: true }
  const page = await openPage()
  await page.goto(`${url}/dashboard/transactions`)
  const button = page.getByRole('link', { name: 'Continue with Acme SSO' })
  await button.waitFor()
  await assertAccessible(page, 'the login page')
  await button.click()
  await page.getByRole('heading', { name: 'Link your Acme SSO login' }).waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Link and log in' }).click()
  await page.getByText('This password is incorrect.').waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await page.getByLabel('Password').fill(member.password)
  await page.getByRole('button', { name: 'Link and log in' }).click()
  await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor()
  await recordCookies(page)

  // The second login needs nothing of Florin: the browser comes back from another site.
  await page.context().clearCookies({ domain: '127.0.0.1' })
  await page.goto(`${url}/dashboard`)
  await button.click()
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  const names = (await page.context().cookies(url)).map(({ name }) => name)
  assert.deepEqual(names, ['florin_dashboard'])
  await recordCookies(page)

  await page.goto(`${url}/dashboard/settings/security`)
  const card = page.getByRole('region', { name: 'Linked logins' })
  await card.getByText(member.email).waitFor()
  await card.getByRole('button', { name: 'Unlink' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink login' }).click()
  await card.getByText('Your password is needed once.').waitFor()
  await assertAccessible(page, 'the security section')
  await page.context().close()
})

test('linking and logging in work without scripts', options, async () => {
  const lone = await people.lone()
  provider.person = { sub: 'lone', email: lone.email, email_verified: true }
  const page = await openPage({ javaScriptEnabled: false })
  await page.goto(`${url}/dashboard/oidc/start`)
  await page.getByLabel('Password').fill(lone.password)
  await page.getByRole('button', { name: 'Link and log in' }).click()
  await page.waitForURL(`${url}/dashboard`)
  await recordCookies(page)
  const names = (await page.context().cookies(url)).map(({ name }) => name)
  assert.deepEqual(names, ['florin_dashboard'])
  await page.context().close()
})

test('a person without a user gets a page that leads to the login page', options, async () => {
  provider.person = { sub: 'unknown', email: 'unknown@example.com', email_verified: true }
  const page = await openPage()
  await page.goto(`${url}/dashboard/oidc/start`)
  await page.getByRole('heading', { name: 'No user for this login' }).waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await page.getByRole('link', { name: 'Go to the login page' }).click()
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  await page.context().close()
})
