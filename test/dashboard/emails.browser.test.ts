// The email pages of admins.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { no_browser, openPage } from '../support/browser.ts'
import { logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'

const { call, people, url } = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const options = { skip: no_browser }
const admin = await people.admin()
const owner = await people.owner()

async function requestPayment(customer_email: string, reference: string): Promise<void> {
  const body = {
    account_id: owner.account_id,
    amount: 7_500,
    currency: 'USD',
    customer_email,
    reference,
  }
  const response = await call('POST', '/v1/payments', { token: owner.token, body })
  assert.equal(response.status, 201, response.text)
}

const hostile = '<img src=x onerror=alert(1)><script>alert(2)</script><b style="position:fixed">'
await requestPayment('ada@customers.example', 'Invoice 114')
await requestPayment('grace@customers.example', hostile)

test('filters emails by recipient and state, and stores both in the URL', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, admin)
  await page.goto(`${url}/dashboard/emails`)
  await page.getByText('1–2 of 2').waitFor()
  await page.getByLabel('To', { exact: true }).fill('ada@customers.example')
  await page.keyboard.press('Enter')
  await page.getByText('1 result').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('to'), 'ada@customers.example')
  await page.getByLabel('State').selectOption('failed')
  await page.getByText('No emails match these filters').waitFor()
  await page.reload()
  await page.getByText('No emails match these filters').waitFor()
  await page.getByLabel('State').selectOption('')
  await page.getByRole('link', { name: /Payment request from .*\$75\.00/ }).click()
  await page.getByRole('heading', { name: /Payment request from/, level: 1 }).waitFor()
  await page.context().close()
})

test('previews an email with its link and styles, and no active content', options, async () => {
  const found = await call('GET', '/v1/emails?to=grace@customers.example', { token: admin.token })
  const page = await openPage()
  await logInToDashboard(page, url, admin)
  const errors: string[] = []
  page.on('console', (line) => void (line.type() === 'error' && errors.push(line.text())))
  page.on('dialog', (dialog) => void errors.push(dialog.message()))
  await page.goto(`${url}/dashboard/emails/${found.body.data[0].id}`)
  const email = page.getByRole('region', { name: /^Preview of/ })
  const button = email.getByRole('link', { name: 'See how to pay' })
  await eventually(() => button.getAttribute('href'), /\/pay\/[\w-]{20,}$/)
  // The email's styles apply although the Content-Security-Policy allows no inline styles.
  const style = 'getComputedStyle(document.querySelector(\'[aria-label^="Preview of"] a\'))'
  await eventually(() => page.evaluate(`${style}.color`), 'rgb(255, 255, 255)')
  await email.getByText(hostile).waitFor()
  await eventually(() => email.locator('img, script, [onerror], iframe').count(), 0)
  const text = page.getByRole('region', { name: 'Plain text' })
  await text.getByText('Sandbox: no real money moves').waitFor()
  assert.deepEqual(errors, [])
  await page.context().close()
})

test('a long address is truncated to one line, with the full text on hover', options, async () => {
  const long = `${'a-very-long-name'.repeat(3)}@a-long-domain-without-a-break.example.com`
  await requestPayment(long, 'Invoice 115')
  const page = await openPage({ viewport: { width: 768, height: 800 } })
  await logInToDashboard(page, url, admin)
  await page.goto(`${url}/dashboard/emails`)
  const address = page.getByRole('table', { name: 'Emails' }).getByTitle(long)
  await address.waitFor()
  for (const width of [768, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await eventually(() => address.evaluate((one) => one.clientHeight), 20, `at ${width}`)
  }
  await page.context().close()
})
