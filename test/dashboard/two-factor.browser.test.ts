// Two-factor authentication in the dashboard, with the virtual authenticator of Chromium.

import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findUuid } from '../../src/primitives/ids.ts'
import { no_browser, openPage } from '../support/browser.ts'
import { logInForCookie } from '../support/cookie-login.ts'
import { assertAccessible, logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { live_env, startFlorin } from '../support/florin.ts'
import type { Person } from '../support/people.ts'
import { recordSecret } from '../support/secrets.ts'
import { enrollTotp, test_secret_key, totpCode } from '../support/totp.ts'

// Passkeys belong to the public URL, whose port must be known before the server starts.
let target_port = 0
const forwarder = createServer((socket) => {
  const server = connect(target_port, '127.0.0.1')
  socket.pipe(server).pipe(socket)
  socket.on('error', () => server.destroy())
  server.on('error', () => socket.destroy())
})
await new Promise<void>((resolve) => forwarder.listen(0, '127.0.0.1', resolve))
after(() => forwarder.close())
const url = `http://localhost:${(forwarder.address() as AddressInfo).port}`

const florin = await startFlorin({
  FLORIN_PUBLIC_URL: url,
  FLORIN_SECRET_KEY: test_secret_key,
})
target_port = Number(new URL(florin.url).port)
const { people, db, call } = florin
const options = { skip: no_browser }

async function openSecurity(who: Person, page: Page): Promise<void> {
  await logInToDashboard(page, url, who)
  await page.goto(`${url}/dashboard/settings/security`)
  await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
}

async function enterPassword(page: Page, { email, password }: Person): Promise<void> {
  await page.goto(`${url}/dashboard/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

async function logOut(page: Page): Promise<void> {
  await page.context().clearCookies()
}

function home(page: Page) {
  return page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
}

async function age(who: Person): Promise<void> {
  await db.pool.query(
    `update sessions set authenticated_at = now() - interval '10 minutes' where user_id = $1`,
    [findUuid('user', who.id)],
  )
}

test('a user adds an authenticator app and logs in with its codes', options, async () => {
  const owner = await people.owner()
  const page = await openPage({ viewport: { width: 360, height: 740 } })
  await openSecurity(owner, page)
  await assertAccessible(page, 'security settings without a factor')
  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  await assertAccessible(page, 'the dialog with the QR code')
  const secret = recordSecret(await dialog.locator('code').innerText())
  await dialog.getByLabel('Code of the app').fill('000000')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await dialog.getByText('"code" must be the current code').waitFor()
  await dialog.getByLabel('Code of the app').fill(totpCode(secret, Date.now() - 30_000))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await dialog.getByText('Copy it now').waitFor()
  await assertAccessible(page, 'the recovery codes')
  const codes = (await dialog.locator('code').innerText()).trim().split(/\s+/)
  assert.equal(codes.length, 10)
  for (const code of codes) recordSecret(code)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText('10 of 10 left').waitFor()
  await assertAccessible(page, 'security settings with a factor')

  await logOut(page)
  await enterPassword(page, owner)
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await assertAccessible(page, 'the second step of the login')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('is wrong, expired or already used').waitFor()
  await page.getByLabel('Code', { exact: true }).fill(totpCode(secret))
  await page.getByRole('button', { name: 'Log in' }).click()
  await home(page)

  await logOut(page)
  await enterPassword(page, owner)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(codes[0]!)
  await page.getByRole('button', { name: 'Log in' }).click()
  await home(page)
  await page.goto(`${url}/dashboard/settings/security`)
  await page.getByText('9 of 10 left').waitFor()
  const card = page.getByRole('region', { name: 'Two-factor authentication' })
  await card.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove factor' }).click()
  await card.getByText('Off. Add an authenticator app or a passkey').waitFor()
  await page.context().close()
})

test('a user adds a passkey and logs in without a password', options, async () => {
  const owner = await people.owner()
  const page = await openPage()
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await openSecurity(owner, page)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Laptop')
  await dialog.getByRole('button', { name: 'Create passkey' }).click()
  await dialog.getByText('Copy it now').waitFor()
  for (const code of (await dialog.locator('code').innerText()).split(/\s+/)) recordSecret(code)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Laptop', { exact: true }).waitFor()

  await logOut(page)
  await page.goto(`${url}/dashboard/login`)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await home(page)

  // A change that needs a recent login can be confirmed with the passkey.
  await age(owner)
  await page.goto(`${url}/dashboard/settings/security`)
  await page.getByRole('button', { name: 'New codes' }).click()
  await page.getByRole('button', { name: 'Create codes' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await confirm.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText('Copy it now').waitFor()
  for (const code of (await dialog.locator('code').innerText()).split(/\s+/)) recordSecret(code)
  await page.close()
  await page.context().close()
})

test('a sensitive change asks for the password and is retried', options, async () => {
  const owner = await people.owner()
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await age(owner)
  await page.goto(`${url}/dashboard`)
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('button', { name: 'Create key' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('Shop')
  await form.getByLabel('accounts:read').check()
  await form.getByRole('button', { name: 'Create key' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await confirm.getByLabel('Password').fill('wrong password')
  await assertAccessible(page, 'the confirmation')
  await confirm.getByRole('button', { name: 'Confirm' }).click()
  await confirm.getByText('"password" must be your current password.').waitFor()
  await confirm.getByLabel('Password').fill(owner.password)
  await confirm.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Copy it now').waitFor()
  recordSecret(await page.getByRole('dialog').locator('code').first().innerText())
  const keys = await call('GET', '/v1/api_keys', { token: owner.token })
  assert.equal(keys.body.data.length, 1)
  await page.context().close()
})

test('an admin in live mode without a factor sees a notice', options, async () => {
  const admin = await people.admin()
  const live = await florin.startSecondServer({ ...live_env })
  await db.pool.query(`update instance set factors_since = now() + interval '-8 days'`)
  const cookie = await logInForCookie(live.call, admin)
  const page = await openPage({ extraHTTPHeaders: { cookie } })
  await page.goto(`${live.url}/dashboard`)
  await page.getByText('Admins need a second factor soon.').waitFor()
  await assertAccessible(page, 'the notice')
  await page.context().close()
  await enrollTotp(call, admin)
  await eventually(async () => (await live.call('GET', '/v1/users', admin)).status, 200)
})
