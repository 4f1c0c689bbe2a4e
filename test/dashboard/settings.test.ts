// Settings: what an account is, who belongs to it, and what its people may change of that.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { no_browser, openPage } from '../support/browser.ts'
import {
  assertAccessible,
  checkPage,
  clickAndReadClipboard,
  find,
  logInForCookie,
  logInToDashboard,
} from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { live_env, startFlorin } from '../support/florin.ts'
import { credentials, type Person } from '../support/people.ts'
import { newPassword, recordSecret } from '../support/secrets.ts'

const florin = await startFlorin()
const { call, people, url } = florin
const options = { skip: no_browser }
const permissions = ['clipboard-read', 'clipboard-write']

async function open(who: Person, more: Parameters<typeof openPage>[0] = {}) {
  const page = await openPage(more)
  await logInToDashboard(page, url, who)
  await page.goto(`${url}/dashboard/settings`)
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  return page
}

test('an owner sees what the account is, and copies its id', options, async () => {
  const owner = await people.owner()
  const page = await open(owner, { permissions })
  const card = page.getByRole('region', { name: 'Account' })
  for (const fact of ['Acme Ltd', owner.email, 'Active', 'USD', 'UTC', 'English (en)', 'Opened']) {
    await card.getByText(fact, { exact: true }).waitFor()
  }
  const copy = card.getByRole('button', { name: `Copy ${owner.account_id}` })
  assert.equal(await clickAndReadClipboard(page, copy), owner.account_id)
  // The search leads here too, by the name of the page and by the id of the account.
  for (const text of ['settings', owner.account_id]) {
    await page.goto(`${url}/dashboard/transactions`)
    await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor()
    await find(page, text)
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  }
  await page.context().close()
})

test('an owner changes the settings, and a refusal stands at its field', options, async () => {
  const owner = await people.owner()
  const { email } = credentials('renamed')
  const page = await open(owner)
  await page.getByRole('button', { name: 'Change settings' }).click()
  const form = page.getByRole('dialog')
  const save = form.getByRole('button', { name: 'Save settings' })
  await eventually(() => save.isDisabled(), true)
  await form.getByLabel('Time zone').fill('Europe/Atlantis')
  await save.click()
  await form.getByText('"settings.timezone" must be an IANA time zone').waitFor()
  await eventually(() => form.getByLabel('Time zone').getAttribute('aria-invalid'), 'true')
  await eventually(() => form.getByRole('alert').count(), 0)
  await assertAccessible(page, 'the refused form')
  await form.getByLabel('Time zone').fill('Europe/Berlin')
  await form.getByLabel('Language').fill('de-CH')
  await form.getByLabel('Name').fill('Acme AG')
  const taken = await people.owner()
  await form.getByLabel('Email').fill(taken.email)
  await save.click()
  await eventually(() => form.getByLabel('Email').getAttribute('aria-invalid'), 'true')
  await form.getByLabel('Email').fill(email)
  await save.click()
  await page.getByText('The settings are saved.').waitFor()
  const card = page.getByRole('region', { name: 'Account' })
  for (const fact of ['Acme AG', email, 'Europe/Berlin', 'Swiss High German (de-CH)']) {
    await card.getByText(fact, { exact: true }).waitFor()
  }
  // In sandbox the log-in changes with it, and the page says so.
  await page.getByRole('region', { name: 'You' }).getByText(email).waitFor()
  const { body } = await call('GET', '/v1/account', { token: owner.token })
  assert.deepEqual(
    [body.name, body.email, body.settings],
    ['Acme AG', email, { currency: 'USD', timezone: 'Europe/Berlin', language: 'de-CH' }],
  )
  await page.context().close()
})

test('in live mode a new email waits for its link, and the form says so', options, async () => {
  const owner = await people.owner()
  const { email } = credentials('waiting')
  const live = await florin.startSecondServer({ ...live_env, FLORIN_PASSWORD_MIN: '17' })
  // Of https only, the browser would not send it back; so it is sent for it.
  const cookie = await logInForCookie(live.call, owner)
  const page = await openPage({ extraHTTPHeaders: { cookie } })
  await page.goto(`${live.url}/dashboard/settings`)
  await page.getByRole('button', { name: 'Change settings' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Email').fill(email)
  await form.getByRole('button', { name: 'Save settings' }).click()
  // Whether it is on its way depends on a mail server, which this one has not.
  await form.getByText(`An email with the link is addressed to ${email}.`).waitFor()
  await form.getByText(`Until then it stays ${owner.email}.`).waitFor()
  await form.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('region', { name: 'Account' }).getByText(owner.email).waitFor()
  await page.getByRole('button', { name: 'Change password' }).click()
  await form.getByText('At least 17 characters.').waitFor()
  await page.context().close()
})

test('an owner adds a member, who can sign in, and removes them', options, async () => {
  const owner = await people.owner()
  const { email, password } = credentials('member')
  const page = await open(owner)
  const members = page.getByRole('region', { name: 'Members' })
  const rows = members.getByRole('table').locator('tbody tr')
  await eventually(() => rows.count(), 1)
  await eventually(() => rows.first().getByText('Owner', { exact: true }).count(), 1)
  await eventually(() => members.getByRole('button', { name: 'Remove' }).count(), 0)
  await members.getByRole('button', { name: 'Add member' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Name').fill('Grace Hopper')
  await form.getByLabel('Password').fill('short')
  await form.getByRole('button', { name: 'Add member' }).click()
  await form.getByRole('alert').waitFor()
  await form.getByLabel('Password').fill(password)
  await form.getByRole('button', { name: 'Add member' }).click()
  await page.getByText(`${email} can sign in.`).waitFor()
  const member = await people.session({ email, password })
  await eventually(() => rows.count(), 2)
  await members.getByRole('link', { name: email }).click()
  await page.getByRole('heading', { name: 'Grace Hopper', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click()
  await members.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove member' }).click()
  await page.getByText(`${email} is removed.`).waitFor()
  await eventually(() => rows.count(), 1)
  const asked = await call('GET', '/v1/account', { token: member.token })
  assert.equal(asked.status, 401)
  await page.context().close()
})

test('a member reads all of it, and changes only the own name and password', options, async () => {
  const owner = await people.owner()
  const member = await people.member(owner)
  const page = await open(member)
  await page.getByRole('region', { name: 'Account' }).getByText('Acme Ltd').waitFor()
  const members = page.getByRole('region', { name: 'Members' })
  await members.getByText(owner.email).waitFor()
  await eventually(() => members.getByRole('link').count(), 0)
  for (const name of ['Change settings', 'Add member', 'Remove']) {
    await eventually(() => page.getByRole('button', { name }).count(), 0, name)
  }
  const you = page.getByRole('region', { name: 'You' })
  await you.getByRole('button', { name: 'Change name' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('🦊 Ada Lovelace')
  await page.getByRole('button', { name: 'Save name' }).click()
  await you.getByText('🦊 Ada Lovelace').waitFor()
  const menu = page.getByRole('button', { name: '🦊 Ada Lovelace: theme, sessions, sign out' })
  await eventually(() => menu.textContent(), '🦊')
  await page.context().close()
})

test('whoever changes the own password stays, and the other sessions end', options, async () => {
  const owner = await people.owner()
  const password = newPassword()
  const page = await open(owner)
  await page.getByRole('button', { name: 'Change password' }).click()
  const form = page.getByRole('dialog')
  const save = form.getByRole('button', { name: 'Save password' })
  const fill = async (first: string, second: string) => {
    await form.getByLabel('New password').fill(recordSecret(first))
    await form.getByLabel('Once more').fill(recordSecret(second))
    await save.click()
  }
  await fill(password, `${password}x`)
  await form.getByText('The two are not the same.').waitFor()
  await fill('short', 'short')
  await eventually(() => form.getByLabel('New password').getAttribute('aria-invalid'), 'true')
  await assertAccessible(page, 'the refused password')
  await fill(password, password)
  await page.getByText('Your password is changed.').waitFor()
  assert.equal((await call('GET', '/v1/account', { token: owner.token })).status, 401)
  await page.reload()
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  const login = { body: { email: owner.email, password } }
  assert.equal((await call('POST', '/v1/auth/login', login)).status, 200)
  await page.context().close()
})

test('whoever has no account changes the own name and password all the same', options, async () => {
  const owner = await people.owner()
  const admin = await open(await people.admin())
  await admin.getByText('Choose an account.').waitFor()
  const you = admin.getByRole('region', { name: 'You' })
  await you.getByRole('button', { name: 'Change password' }).waitFor()
  await assertAccessible(admin, 'the own settings of an admin')
  await admin.goto(`${url}/dashboard/settings?account=${owner.account_id}`)
  await admin.getByRole('region', { name: 'Account' }).getByText(owner.email).waitFor()
  await admin.getByRole('button', { name: 'Change settings' }).waitFor()
  await admin.context().close()
  const lone = await people.lone()
  const password = newPassword()
  const page = await openPage()
  await logInToDashboard(page, url, lone)
  await page.goto(`${url}/dashboard`)
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('region', { name: 'You' }).getByText(lone.email).waitFor()
  await eventually(() => page.getByText('Choose an account.').count(), 0)
  await page.getByRole('button', { name: 'Change password' }).click()
  for (const label of ['New password', 'Once more']) await page.getByLabel(label).fill(password)
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByText('Your password is changed.').waitFor()
  const login = { body: { email: lone.email, password } }
  assert.equal((await call('POST', '/v1/auth/login', login)).status, 200)
  await page.context().close()
})

const looks = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 360 },
] as const

for (const { colorScheme, width } of looks) {
  test(`settings are without fault in ${colorScheme} at ${width} px`, options, async () => {
    const owner = await people.owner()
    const member = await people.member(owner)
    const viewport = { width, height: 800 }
    for (const who of [owner, member]) {
      const page = await open(who, { colorScheme, viewport })
      await page.getByRole('region', { name: 'Members' }).getByText(member.email).waitFor()
      await checkPage(page, url, '/settings')
      await page.context().close()
    }
    const page = await open(owner, { colorScheme, viewport })
    for (const name of ['Change settings', 'Add member', 'Change password', 'Remove']) {
      await page.getByRole('button', { name, exact: true }).click()
      await page.getByRole(name === 'Remove' ? 'alertdialog' : 'dialog').waitFor()
      await assertAccessible(page, name)
      await page.keyboard.press('Escape')
    }
    await page.context().close()
  })
}
