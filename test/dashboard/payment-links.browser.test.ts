// Payment links and the options of payment requests in the browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axeViolations, no_browser, openPage } from '../support/browser.ts'
import { assertAccessible, logInToDashboard, page_variants } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'

const florin = await startFlorin()
const { call, people, url } = florin
const options = { skip: no_browser }

test('creates a link, a payer without scripts pays, and the page counts it', options, async () => {
  const owner = await people.owner()
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/payment-links`)
  await page.getByText('No payment links yet').waitFor()
  await page.getByRole('button', { name: 'Create payment link' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create payment link' }).click()
  await dialog.getByText('Enter a title, for example Pottery class.').waitFor()
  await dialog.getByLabel('Title').fill('Pottery class')
  await dialog.getByLabel('Amount', { exact: true }).selectOption('open')
  await dialog.getByLabel('Minimum in USD').fill('5')
  await dialog.getByLabel('Maximum in USD').fill('4')
  await dialog.getByRole('button', { name: 'Create payment link' }).click()
  await dialog.getByText('The maximum must not be less than the minimum.').waitFor()
  await dialog.getByLabel('Maximum in USD').fill('100')
  await dialog.getByLabel('Maximum number of payments').fill('2')
  assert.deepEqual(await axeViolations(page), [])
  await dialog.getByRole('button', { name: 'Create payment link' }).click()
  await page.getByRole('heading', { name: 'Pottery class' }).waitFor()
  await page.getByText('0 of 2 paid', { exact: true }).waitFor()
  const { data } = (await call('GET', '/v1/payment_links', { token: owner.token })).body
  assert.deepEqual([data[0].amount_min, data[0].amount_max, data[0].max_uses], [500, 10_000, 2])
  const payer = await openPage({ javaScriptEnabled: false })
  await payer.goto(url + new URL(data[0].url).pathname)
  await payer.getByLabel('Your email').fill('ann@example.com')
  await payer.getByLabel('Amount (USD)').fill('2')
  await payer.getByRole('button', { name: 'Continue to payment' }).click()
  await payer.getByText('Enter an amount from $5.00 to $100.00, such as 5.00.').waitFor()
  assert.equal(await payer.getByLabel('Your email').inputValue(), 'ann@example.com')
  await payer.getByLabel('Amount (USD)').fill('12.50')
  await payer.getByRole('button', { name: 'Continue to payment' }).click()
  await payer.getByRole('button', { name: 'Succeeds' }).click()
  await payer
    .getByRole('heading', { name: 'Payment received' })
    .or(payer.getByText('Paid to'))
    .first()
    .waitFor()
  await payer.context().close()
  await page.getByText('1 of 2 paid', { exact: true }).waitFor()
  await page.getByText('1 result').waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Deactivate' }).click()
  await page.getByText('Inactive', { exact: true }).waitFor()
  await page.context().close()
})

test('the page of a link is accessible in both themes and sizes', options, async () => {
  const owner = await people.owner()
  const create = async (body: object) =>
    (await call('POST', '/v1/payment_links', { token: owner.token, body })).body
  const open = await create({ title: 'Donation', amount_min: 500, amount_max: 90_000 })
  const fixed = await create({ title: 'A long title '.repeat(12).trim(), amount: 7_500 })
  const ended = await create({ title: 'Over', amount: 100, active: false })
  for (const { colorScheme, width } of page_variants) {
    const page = await openPage({ viewport: { width, height: 800 }, colorScheme })
    for (const [name, link] of Object.entries({ open, fixed, ended })) {
      await page.goto(url + new URL(link.url).pathname)
      await assertAccessible(page, `${name} ${colorScheme} ${width}`)
    }
    await page.context().close()
  }
})

test('requests a payment with options, and duplicates it', options, async () => {
  const owner = await people.owner()
  const page = await openPage({ viewport: { width: 360, height: 800 } })
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/payments?create=yes`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Customer email').fill('ann@example.com')
  await dialog.getByLabel('Amount in USD').fill('75')
  await dialog.getByLabel('Don’t email the customer').check()
  await dialog.getByText('More options').click()
  await dialog.getByLabel('Due date').fill('2020-01-01')
  await dialog.getByText('Choose a day in the future.').waitFor()
  const due = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
  await dialog.getByLabel('Due date').fill(due)
  await dialog.getByLabel('Message to the customer').fill('See you <soon>!')
  await dialog.getByLabel('Reminder email').selectOption('1')
  assert.deepEqual(await axeViolations(page), [])
  await dialog.getByRole('button', { name: 'Request $75.00' }).click()
  await page.getByText('Share the link below.').waitFor()
  await page.getByText('See you <soon>!').waitFor()
  const { data } = (await call('GET', '/v1/payments', { token: owner.token })).body
  assert.ok(data[0].expires_at.startsWith(due))
  const path = `/v1/payment_requests/${data[0].id}`
  const { sends, reminder_days } = (await call('GET', path, { token: owner.token })).body
  assert.deepEqual([sends, reminder_days], [0, 1])
  await page.getByRole('button', { name: 'Email link' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Email link' }).click()
  await page.getByText('Not sent: no mail server is configured.').waitFor()
  await call('POST', `/v1/payments/${data[0].id}/cancel`, { token: owner.token })
  await page.getByRole('link', { name: 'Request again' }).click()
  await eventually(() => dialog.getByLabel('Customer email').inputValue(), 'ann@example.com')
  await eventually(() => dialog.getByLabel('Amount in USD').inputValue(), '75.00')
  await eventually(
    () => dialog.getByLabel('Message to the customer').inputValue(),
    'See you <soon>!',
  )
  await dialog.getByRole('button', { name: 'Request $75.00' }).click()
  await page.getByRole('link', { name: 'Duplicate' }).waitFor()
  const after = (await call('GET', '/v1/payments', { token: owner.token })).body
  assert.equal(after.data.length, 2)
  await page.context().close()
})
