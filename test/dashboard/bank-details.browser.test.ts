// The bank account for transfers: operators set it on the page of an account, owners see it.

import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { axeViolations, no_browser, openPage } from '../support/browser.ts'
import { logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'

const { people, url } = await startFlorin({
  FLORIN_PROCESSOR: 'bank_transfer',
  FLORIN_BANK_IBAN: 'NL91 ABNA 0417 1643 00',
  FLORIN_BANK_NAME: 'Operator B.V.',
})
const admin = await people.admin()
const owner = await people.owner()
const title = 'Bank account for transfers'
const options = { skip: no_browser }

async function open(user: typeof admin | typeof owner, path: string): Promise<Page> {
  const page = await openPage()
  await logInToDashboard(page, url, user)
  await page.goto(`${url}/dashboard${path}`)
  return page
}

test('an admin sets, changes and removes the bank account of an account', options, async () => {
  const page = await open(admin, `/accounts/${owner.account_id}`)
  const card = page.getByRole('region', { name: title })
  const dialog = page.getByRole('dialog', { name: title })
  const save = dialog.getByRole('button', { name: 'Save bank account' })
  await card.getByText('NL91 ABNA 0417 1643 00').waitFor()
  await card.getByRole('button', { name: 'Set another' }).click()
  await dialog.getByLabel('Recipient').fill('Acme GmbH')
  await dialog.getByLabel('IBAN').fill('DE88 3704 0044 0532 0130 00')
  await save.click()
  await dialog.getByText(/"iban" has wrong check digits/).waitFor()
  await eventually(() => axeViolations(page), [])
  await dialog.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00')
  await save.click()
  await card.getByText('DE89 3704 0044 0532 0130 00').waitFor()
  await card.getByRole('button', { name: 'Change' }).click()
  await dialog.getByLabel('Identified by').selectOption('Other account number')
  await dialog.getByLabel('Account details').fill('Routing number: 021000021\nAccount: 12:34')
  await save.click()
  await card.getByText('021000021').waitFor()
  await card.getByText('12:34').waitFor()
  await eventually(() => axeViolations(page), [])
  await card.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove bank account' }).click()
  await card.getByText('Operator B.V.').waitFor()
  await page.context().close()
})

test('an owner sees the bank account and has no button to change it', options, async () => {
  const page = await open(owner, '/settings/payment-page')
  const card = page.getByRole('region', { name: title })
  await card.getByText('NL91 ABNA 0417 1643 00').waitFor()
  await eventually(() => card.getByRole('button').count(), 0)
  await page.context().close()
})
