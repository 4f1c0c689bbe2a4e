// CSRF: a page of another site, in a browser with a dashboard session, tries to create and to read
// transactions by form and by script.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { no_browser, openPage } from '../support/browser.ts'
import { logInToDashboard } from '../support/dashboard.ts'
import { startFlorin } from '../support/florin.ts'

const { call, people, url } = await startFlorin()
const target = `${url}/dashboard/api/v1/transactions`

const evil = createServer((_, response) => {
  response.setHeader('content-type', 'text/html').end(
    `<title>evil</title><form method="post" action="${target}" enctype="text/plain">
     <input name='{"x":"' value='"}'><button>Win</button></form>`,
  )
})
await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve))
after(() => new Promise((resolve) => evil.close(resolve)))
// Browsers treat localhost and 127.0.0.1 as different sites.
const evil_url = `http://localhost:${(evil.address() as AddressInfo).port}`

test('another site can neither create nor read transactions', { skip: no_browser }, async () => {
  const owner = await people.owner()
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(evil_url)
  const body = JSON.stringify({
    account_id: owner.account_id,
    amount: 100,
    currency: 'USD',
    type: 'payment',
  })
  const attempts = [
    `{ method: 'POST', credentials: 'include', body: ${JSON.stringify(body)} }`,
    `{ method: 'POST', credentials: 'include', mode: 'no-cors', body: ${JSON.stringify(body)} }`,
    `{ method: 'POST', credentials: 'include', body: ${JSON.stringify(body)},
       headers: { 'content-type': 'application/json', 'florin-dashboard': '1' } }`,
    `{ credentials: 'include' }`,
  ]
  for (const options of attempts) {
    const read = await page.evaluate(
      `fetch('${target}', ${options}).then((response) => response.text(), () => 'blocked')`,
    )
    assert.ok(read === 'blocked' || read === '', `${options}: ${read}`)
  }
  const [response] = await Promise.all([
    page.waitForResponse((one) => one.url() === target),
    page.getByRole('button', { name: 'Win' }).click(),
  ])
  assert.ok([403, 415].includes(response.status()), String(response.status()))
  const created = await call('GET', '/v1/transactions', { token: owner.token })
  assert.deepEqual(created.body.data, [])
  await page.context().close()
})
