// The settings page: account, members and the user's own profile.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { no_browser, openPage } from '../support/browser.ts'
import { logInForCookie } from '../support/cookie-login.ts'
import {
  assertAccessible,
  checkPages,
  clickAndReadClipboard,
  find,
  logInToDashboard,
  openWithoutLoad,
  page_variants,
} from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { live_env, startFlorin } from '../support/florin.ts'
import { credentials, type Person } from '../support/people.ts'
import { newPassword, recordSecret } from '../support/secrets.ts'

const florin = await startFlorin()
const { call, people, url } = florin
const options = { skip: no_browser }
const permissions = ['clipboard-read', 'clipboard-write']

async function open(who: Person, section = '', more: Parameters<typeof openPage>[0] = {}) {
  const page = await openPage(more)
  await logInToDashboard(page, url, who)
  await page.goto(`${url}/dashboard/settings${section}`)
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  return page
}

test('an owner sees the account details and copies its id', options, async () => {
  const owner = await people.owner()
  const page = await open(owner, '', { permissions })
  const card = page.getByRole('region', { name: 'Account' })
  for (const fact of ['Active', 'USD', 'Created']) {
    await card.getByText(fact, { exact: true }).waitFor()
  }
  // The form has the rest, so the card does not repeat it.
  const form = page.getByRole('region', { name: 'Business details' })
  await eventually(() => form.getByLabel('Email').inputValue(), owner.email)
  await eventually(() => card.getByText(owner.email).count(), 0)
  const copy = card.getByRole('button', { name: `Copy ${owner.account_id}` })
  assert.equal(await clickAndReadClipboard(page, copy), owner.account_id)
  // The search also finds the page, by its name and by the account id.
  for (const text of ['settings', owner.account_id]) {
    await page.goto(`${url}/dashboard/transactions`)
    await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor()
    await find(page, text)
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  }
  await page.context().close()
})

test('an owner changes the settings, and errors appear at their fields', options, async () => {
  const owner = await people.owner()
  const { email } = credentials('renamed')
  const page = await open(owner)
  const form = page.getByRole('region', { name: 'Business details' })
  const save = form.getByRole('button', { name: 'Save settings' })
  await eventually(() => save.isDisabled(), true)
  const choose = async (label: string, typed: string, option: string | RegExp) => {
    const box = form.getByRole('combobox', { name: label, exact: true })
    const search = page.getByRole('combobox', { name: `Search: ${label}` })
    // A slow press: the list opens while the button is down, and must not move the page.
    await box.click({ delay: 300 })
    await search.fill(typed)
    await page.getByRole('option', { name: option }).first().waitFor()
    // All choices use the same component.
    if (label === 'Time zone') await assertAccessible(page, `the choices of ${label}`)
    await page.getByRole('option', { name: option }).first().click()
  }
  await choose('Time zone', 'berl', /Europe\/Berlin/)
  await choose('Language', 'Germ', 'German (de)')
  await form.getByLabel('Name').fill('Acme AG')
  const taken = await people.owner()
  await form.getByLabel('Email').fill(taken.email)
  await save.click()
  await eventually(() => form.getByLabel('Email').getAttribute('aria-invalid'), 'true')
  await eventually(() => form.getByRole('alert').count(), 0)
  await assertAccessible(page, 'the form with an error')
  await form.getByLabel('Email').fill(email)
  await save.click()
  await page.getByText('Settings saved').waitFor()
  await eventually(() => form.getByLabel('Name').inputValue(), 'Acme AG')
  await eventually(() => form.getByLabel('Email').inputValue(), email)
  // In sandbox mode the owner's login changes at once, and the page shows it.
  await page.getByRole('link', { name: 'Profile' }).click()
  await page.getByRole('region', { name: 'Your profile' }).getByText(email).waitFor()
  const { body } = await call('GET', '/v1/account', { token: owner.token })
  assert.deepEqual(
    [body.name, body.email, body.settings],
    ['Acme AG', email, { currency: 'USD', timezone: 'Europe/Berlin', language: 'de' }],
  )
  await page.context().close()
})

test('in live mode a new email must be confirmed through a link', options, async () => {
  const owner = await people.owner()
  const { email } = credentials('waiting')
  const live = await florin.startSecondServer({ ...live_env, FLORIN_PASSWORD_MIN: '17' })
  // The browser does not send a Secure cookie over HTTP, so the test sets the header.
  const cookie = await logInForCookie(live.call, owner)
  const page = await openPage({ extraHTTPHeaders: { cookie } })
  await page.goto(`${live.url}/dashboard/settings`)
  const form = page.getByRole('region', { name: 'Business details' })
  await form.getByLabel('Email').fill(email)
  await form.getByRole('button', { name: 'Save settings' }).click()
  await form.getByText(`We’ll email a confirmation link to ${email}.`).waitFor()
  await form.getByText(`Until you confirm, the email stays ${owner.email}.`).waitFor()
  await page.goto(`${live.url}/dashboard/settings/security`)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByRole('dialog').getByText('At least 17 characters').waitFor()
  await page.context().close()
})

test('an owner adds a return origin, uses it, and removes it', options, async () => {
  const owner = await people.owner()
  const { token, account_id } = owner
  const page = await open(owner, '/payment-page')
  const card = page.getByRole('region', { name: 'Return origins' })
  await card.getByText('No return origins').waitFor()
  await card.getByRole('button', { name: 'Add origin' }).click()
  const form = page.getByRole('dialog')
  const field = form.getByLabel('Origin', { exact: true })
  const add = form.getByRole('button', { name: 'Add origin' })
  await field.fill('https://shop.example.com/cart')
  await add.click()
  await form.getByText('"origin" must be an origin').waitFor()
  await eventually(() => field.getAttribute('aria-invalid'), 'true')
  await assertAccessible(page, 'the form with an error')
  await field.fill('https://Shop.example.com/')
  await add.click()
  await card.getByText('https://shop.example.com', { exact: true }).waitFor()
  const request = { account_id, amount: 500, currency: 'USD', customer_email: 'ann@example.com' }
  const created = await call('POST', '/v1/payments', { token, body: request })
  const path = `/v1/payments/${created.body.id}`
  const return_url = 'https://shop.example.com/orders/114'
  assert.equal((await call('PATCH', path, { token, body: { return_url } })).status, 200)
  await page.goto(`${url}/dashboard/payments/${created.body.id}`)
  const details = page.getByRole('region', { name: 'Details' })
  await details.getByRole('link', { name: return_url }).waitFor()
  await eventually(() => details.getByText('Cancel URL').count(), 0)
  await page.goto(`${url}/dashboard/settings/payment-page`)
  await card.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove origin' }).click()
  await card.getByText('No return origins').waitFor()
  await page.context().close()
})

test('an owner invites a person, who joins, and removes them', options, async () => {
  const owner = await people.owner()
  const { email, password } = credentials('member')
  const page = await open(owner, '/team')
  const members = page.getByRole('region', { name: 'Members' })
  const invitations = page.getByRole('region', { name: 'Invitations' })
  const rows = members.getByRole('table').locator('tbody tr')
  await eventually(() => rows.count(), 1)
  await eventually(() => rows.first().getByText('Owner', { exact: true }).count(), 1)
  await eventually(() => members.getByRole('button', { name: 'Remove' }).count(), 0)
  await invitations.getByText('No open invitations').waitFor()
  await members.getByRole('button', { name: 'Invite' }).click()
  const form = page.getByRole('dialog')
  const send = form.getByRole('button', { name: 'Send invitation' })
  await form.getByLabel('Email').fill(owner.email)
  await send.click()
  await form.getByText('This email address is already in use.').waitFor()
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Role').selectOption('Read-only')
  await send.click()
  await page.getByText('No mail server is configured. Ask an admin for the link.').waitFor()
  await invitations.getByText(email).waitFor()

  // The page works without scripts; axe needs them.
  const link = `${url}${await linkTo(email)}`
  const scripted = await openPage()
  await scripted.goto(link)
  await assertAccessible(scripted, 'the page of an invitation')
  await scripted.context().close()
  const join = await openPage({ javaScriptEnabled: false })
  await join.goto(link)
  await join.getByRole('heading', { name: 'Join Acme Ltd', level: 1 }).waitFor()
  await join.getByLabel('Name').fill('Grace Hopper')
  await join.getByLabel('Password').fill(recordSecret(password))
  await join.getByRole('button', { name: 'Join' }).click()
  await join.waitForURL(`${url}/dashboard`)
  await join.context().close()

  const member = await people.session({ email, password })
  await page.reload()
  await eventually(() => rows.count(), 2)
  await invitations.getByText('No open invitations').waitFor()
  await members.getByText('Read-only', { exact: true }).waitFor()
  await members.getByRole('link', { name: email }).click()
  await page.getByRole('heading', { name: 'Grace Hopper', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click()
  await page.getByRole('link', { name: 'Team' }).click()
  await members.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove member' }).click()
  await page.getByText(`${email} removed`).waitFor()
  await eventually(() => rows.count(), 1)
  const response = await call('GET', '/v1/account', { token: member.token })
  assert.equal(response.status, 401)
  await page.context().close()
})

test('an owner revokes an invitation', options, async () => {
  const { token, ...owner } = await people.owner()
  const { email } = credentials('member')
  const body = { email, role: 'member' }
  assert.equal((await call('POST', '/v1/account/invitations', { token, body })).status, 201)
  const page = await open({ token, ...owner }, '/team')
  const invitations = page.getByRole('region', { name: 'Invitations' })
  await invitations.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke invitation' }).click()
  await page.getByText(`The link sent to ${email} no longer works.`).waitFor()
  await invitations.getByText('No open invitations').waitFor()
  assert.equal((await call('GET', await linkTo(email))).status, 404)
  await page.context().close()
})

test('without a mail server an admin copies the link of an invitation', options, async () => {
  const owner = await people.owner()
  const { email } = credentials('member')
  const body = { email, role: 'member' }
  await call('POST', '/v1/account/invitations', { token: owner.token, body })
  const section = `/team?account=${owner.account_id}`
  const page = await open(await people.admin(), section, { permissions })
  const invitations = page.getByRole('region', { name: 'Invitations' })
  const copy = invitations.getByRole('button', { name: 'Copy link' })
  await copy.waitFor()
  await assertAccessible(page, 'an invitation with its link')
  const copied = new URL(await clickAndReadClipboard(page, copy))
  assert.equal(copied.pathname, await linkTo(email))
  await page.context().close()
  const own = await open(owner, '/team')
  await own.getByRole('button', { name: 'Revoke' }).waitFor()
  await eventually(() => own.getByRole('button', { name: 'Copy link' }).count(), 0)
  await own.context().close()
})

test('a notification that is turned off stays off', options, async () => {
  const owner = await people.owner()
  const page = await open(owner, '/notifications')
  const box = page.getByRole('checkbox', { name: /Weekly summary/ })
  await eventually(() => box.isChecked(), true)
  await box.click()
  await eventually(async () => {
    const { body } = await call('GET', '/v1/user/notifications', { token: owner.token })
    return body.weekly_summary
  }, false)
  await page.reload()
  await eventually(() => box.isChecked(), false)
  await page.context().close()
})

/** The path of the link in the invitation to this address. */
async function linkTo(email: string): Promise<string> {
  const { rows } = await florin.db.pool.query(
    `select content::json -> 'facts' ->> 'url' as url from emails
     where recipient = $1 and kind = 'invitation'`,
    [email],
  )
  return new URL(rows[0].url).pathname
}

test('a member sees everything and can change only their name and password', options, async () => {
  const owner = await people.owner()
  const member = await people.member(owner)
  const page = await open(member)
  await page.getByRole('region', { name: 'Account' }).getByText('Acme Ltd').waitFor()
  for (const name of ['Save settings', 'Close account']) {
    await eventually(() => page.getByRole('button', { name }).count(), 0, name)
  }
  await eventually(() => page.getByRole('link', { name: 'Payment page' }).count(), 0)
  await page.getByRole('link', { name: 'Team' }).click()
  const members = page.getByRole('region', { name: 'Members' })
  await members.getByText(owner.email).waitFor()
  await eventually(() => members.getByRole('link').count(), 0)
  for (const name of ['Invite', 'Remove']) {
    await eventually(() => page.getByRole('button', { name }).count(), 0, name)
  }
  await page.getByRole('link', { name: 'Profile' }).click()
  const profile = page.getByRole('region', { name: 'Your profile' })
  await profile.getByRole('button', { name: 'Change name' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('🦊 Ada Lovelace')
  await page.getByRole('button', { name: 'Save name' }).click()
  await profile.getByText('🦊 Ada Lovelace').waitFor()
  const menu = page.getByRole('button', { name: '🦊 Ada Lovelace: theme, sessions, log out' })
  await eventually(() => menu.textContent(), '🦊')
  await page.context().close()
})

test('changing the password keeps this session and ends the others', options, async () => {
  const owner = await people.owner()
  const password = newPassword()
  const page = await open(owner, '/security')
  await page.getByRole('button', { name: 'Change password' }).click()
  const form = page.getByRole('dialog')
  const save = form.getByRole('button', { name: 'Save password' })
  const current = form.getByLabel('Current password')
  const fill = async (first: string, second: string) => {
    await form.getByLabel('New password').fill(recordSecret(first))
    await form.getByLabel('Confirm password').fill(recordSecret(second))
    await save.click()
  }
  await current.fill('not the password')
  await fill(password, `${password}x`)
  await form.getByText('The passwords do not match.').waitFor()
  await fill(password, password)
  await form.getByText('"current_password" must be your current password').waitFor()
  await eventually(() => current.getAttribute('aria-invalid'), 'true')
  await current.fill(owner.password)
  await fill('short', 'short')
  await eventually(() => form.getByLabel('New password').getAttribute('aria-invalid'), 'true')
  await assertAccessible(page, 'the rejected password')
  await fill(password, password)
  await page.getByText('Password changed').waitFor()
  assert.equal((await call('GET', '/v1/account', { token: owner.token })).status, 401)
  await page.reload()
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  const login = { body: { email: owner.email, password } }
  assert.equal((await call('POST', '/v1/auth/login', login)).status, 200)
  await page.context().close()
})

test('users without an account can change their name and password', options, async () => {
  const owner = await people.owner()
  const admin = await open(await people.admin())
  await admin.getByRole('region', { name: 'Your profile' }).waitFor()
  await eventually(() => admin.getByRole('link', { name: 'Team' }).count(), 0)
  await assertAccessible(admin, 'the settings of an admin')
  await admin.goto(`${url}/dashboard/settings?account=${owner.account_id}`)
  await eventually(() => admin.getByLabel('Email').inputValue(), owner.email)
  await admin.getByRole('button', { name: 'Save settings' }).waitFor()
  await admin.context().close()
  const lone = await people.lone()
  const password = newPassword()
  const page = await openPage()
  await logInToDashboard(page, url, lone)
  await page.goto(`${url}/dashboard`)
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('region', { name: 'Your profile' }).getByText(lone.email).waitFor()
  await page.getByRole('link', { name: 'Security' }).click()
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByLabel('Current password').fill(lone.password)
  for (const label of ['New password', 'Confirm password']) {
    await page.getByLabel(label).fill(password)
  }
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByText('Password changed').waitFor()
  const login = { body: { email: lone.email, password } }
  assert.equal((await call('POST', '/v1/auth/login', login)).status, 200)
  await page.context().close()
})

const dialogs_of: Record<string, string[]> = {
  '/team': ['Invite', 'Remove'],
  '/security': ['Change password'],
}
const sections = ['', '/branding', '/payment-page', '/team', '/profile', '/notifications']

for (const { colorScheme, width, share } of page_variants) {
  test(`settings have no axe violations in ${colorScheme} at ${width} px`, options, async () => {
    const owner = await people.owner()
    await people.member(owner)
    const page = await openPage({ colorScheme, viewport: { width, height: 800 } })
    await logInToDashboard(page, url, owner)
    const checked = share([...sections, '/security'])
    await checkPages(
      page,
      url,
      checked.map((section) => `/settings${section}`),
    )
    for (const section of checked) {
      for (const name of dialogs_of[section] ?? []) {
        await openWithoutLoad(page, `/settings${section}`)
        await page.getByRole('button', { name, exact: true }).click()
        const dialog = page.getByRole(name === 'Remove' ? 'alertdialog' : 'dialog')
        await dialog.waitFor()
        await assertAccessible(page, name)
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
      }
    }
    await page.context().close()
  })
}
