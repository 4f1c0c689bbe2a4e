// The user pages of admins and owners.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { no_browser, openPage } from '../support/browser.ts'
import { find, logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import { credentials } from '../support/people.ts'

const { call, people, url } = await startFlorin()
const options = { skip: no_browser }
const admin = await people.admin()

async function signUp(name: string, email = credentials('user').email): Promise<string> {
  const body = { email, name, password: credentials('user').password }
  const response = await call('POST', '/v1/users', { token: admin.token, body })
  assert.equal(response.status, 201, response.text)
  return response.body.id
}

async function open(path: string) {
  const page = await openPage()
  await logInToDashboard(page, url, admin)
  await page.goto(`${url}/dashboard${path}`)
  return page
}

test('numbers pages, and stores page, search and status in the URL', options, async () => {
  for (let at = 1; at <= 30; at++) await signUp(`ManyRows ${at}`)
  const rare = await signUp('Ümit Özgür')
  const page = await open('/users')
  const rows = page.getByRole('table', { name: 'Users' }).locator('tbody tr')
  await page.getByText('1–25 of 32').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('26–32 of 32').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('page'), '2')
  await page.reload()
  await page.getByText('Page 2 of 2').waitFor()
  await eventually(() => rows.count(), 7)
  await page.goBack()
  await page.getByText('1–25 of 32').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('26–32 of 32').waitFor()
  await page.getByLabel('Name or email').fill('ÖZGÜR')
  await page.getByText('1 result').waitFor()
  const { searchParams } = new URL(page.url())
  assert.deepEqual([searchParams.get('search'), searchParams.get('page')], ['ÖZGÜR', null])
  await page.getByLabel('Status').selectOption('suspended')
  await page.getByText('No users match these filters').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByText('1–25 of 32').waitFor()
  await eventually(() => page.getByLabel('Name or email').inputValue(), '')
  await page.goto(`${url}/dashboard/users?page=9`)
  await page.getByText('Page 9 does not exist').waitFor()
  await page.getByRole('button', { name: 'Go to page 2' }).click()
  await page.locator(`[title="${rare}"]`).waitFor()
  await page.context().close()
})

test('the list has the role and the account of each user', options, async () => {
  const owner = await people.owner()
  const member = await people.member(owner)
  const page = await open(`/users?search=${encodeURIComponent(member.email)}`)
  const row = page.getByRole('table', { name: 'Users' }).locator('tbody tr')
  await row.getByText('Member', { exact: true }).waitFor()
  await row.getByText('Acme Ltd').waitFor()
  await page.context().close()
})

test('creates, renames, suspends and activates a user', options, async () => {
  const { email, password } = credentials('new')
  const page = await open('/users')
  await page.getByRole('button', { name: 'Create user' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Name').fill('Grace Hopper')
  await form.getByLabel('Password').fill('short')
  await form.getByRole('button', { name: 'Create user' }).click()
  // The form stays open and shows the API error.
  await form.getByRole('alert').waitFor()
  await form.getByLabel('Password').fill(password)
  await form.getByRole('button', { name: 'Create user' }).click()
  await page.getByRole('heading', { name: 'Grace Hopper', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Change name' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Rear Admiral Hopper')
  await page.getByRole('button', { name: 'Save name' }).click()
  await page.getByRole('heading', { name: 'Rear Admiral Hopper', level: 1 }).waitFor()
  const session = await people.session({ email, password })
  await page.getByRole('button', { name: 'Suspend' }).click()
  await page.getByRole('alertdialog').getByText('cannot log in').waitFor()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click()
  await page.getByText(`${email} is suspended and logged out everywhere`).waitFor()
  const own = `/v1/users/${session.id}`
  assert.equal((await call('GET', own, { token: session.token })).status, 401)
  await page.getByRole('button', { name: 'Activate' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Activate' }).click()
  await page.getByText(`${email} is active`).waitFor()
  assert.equal((await call('GET', own, { token: admin.token })).body.status, 'active')
  await page.context().close()
})

test(
  'deletes a user, and explains why an owner and the last admin cannot be deleted',
  options,
  async () => {
    const id = await signUp('Grace Hopper')
    const owner = await people.owner()
    const page = await open(`/users/${id}`)
    const remove = async () => {
      await page.getByRole('button', { name: 'Delete user' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete user' }).click()
    }
    await remove()
    await page.getByText(/ deleted$/).waitFor()
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    assert.equal((await call('GET', `/v1/users/${id}`, { token: admin.token })).status, 404)
    await page.goto(`${url}/dashboard/users/${owner.id}`)
    await page.getByRole('link', { name: 'Acme Ltd' }).waitFor()
    await page.getByText('This user owns an account and cannot be deleted').waitFor()
    await eventually(() => page.getByRole('button', { name: 'Delete user' }).count(), 0)
    await page.goto(`${url}/dashboard/users/${admin.id}`)
    await page.getByText('You cannot change your own status.').waitFor()
    await remove()
    await page.getByRole('alert').getByText('The last admin cannot be deleted.').waitFor()
    await page.context().close()
  },
)

test('a user created with an account selected becomes its member', options, async () => {
  const owner = await people.owner()
  const { email, password } = credentials('member')
  const page = await open(`/users?account=${owner.account_id}`)
  await page.getByRole('button', { name: 'Create user' }).click()
  await page.getByText('becomes a member of Acme Ltd').waitFor()
  await page.getByRole('dialog').getByLabel('Email').fill(email)
  await page.getByRole('dialog').getByLabel('Password').fill(password)
  await page.getByRole('dialog').getByRole('button', { name: 'Create user' }).click()
  await page.getByRole('heading', { name: email, level: 1 }).waitFor()
  const users = await call('GET', '/v1/account/users', { token: owner.token })
  assert.deepEqual(
    users.body.data.map((user: { email: string }) => user.email),
    [email, owner.email],
  )
  await page.context().close()
})

test('the navigation of an owner has no admin pages', options, async () => {
  const owner = await people.owner()
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/sessions`)
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('link', { name: 'Transactions' }).waitFor()
  for (const name of ['Users', 'Accounts', 'Audit log', 'Health', 'Emails', 'Clock']) {
    await eventually(() => navigation.getByRole('link', { name, exact: true }).count(), 0, name)
  }
  await page.context().close()
})

test('deleting a member takes an owner to Settings', options, async () => {
  const owner = await people.owner()
  const member = await people.member(owner)
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/users/${member.id}`)
  const account = page.getByRole('region', { name: 'Details' }).getByRole('link')
  await eventually(() => account.getAttribute('href'), '/dashboard/settings')
  await eventually(() => page.getByRole('link', { name: 'Users', exact: true }).count(), 0)
  await page.getByRole('button', { name: 'Delete user' }).waitFor()
  await eventually(() => page.getByText(/last admin/).count(), 0, 'no mention of admins')
  await page.getByRole('button', { name: 'Delete user' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete user' }).click()
  await page.getByText(`${member.email} deleted`).waitFor()
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await page.context().close()
})

test('searching the own account id opens Settings', options, async () => {
  const owner = await people.owner()
  for (const who of [owner, await people.member(owner)]) {
    const page = await openPage()
    await logInToDashboard(page, url, who)
    await page.goto(`${url}/dashboard/transactions`)
    await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor()
    await find(page, owner.account_id)
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    // They may not open emails.
    await find(page, 'eml_01h455vb4pex5vsknk084sn02q')
    await page.getByText('No results.').waitFor()
    await page.context().close()
  }
})
