// Another site's page, in a browser where the owner is signed in: it tries to move money by a form
// and by a script, and to read.

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
// To a browser localhost and 127.0.0.1 are two sites.
const evil_url = `http://localhost:${(evil.address() as AddressInfo).port}`

test('another site neither moves money nor reads', { skip: no_browser }, async () => {
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
  const tries = [
    `{ method: 'POST', credentials: 'include', body: ${JSON.stringify(body)} }`,
    `{ method: 'POST', credentials: 'include', mode: 'no-cors', body: ${JSON.stringify(body)} }`,
    `{ method: 'POST', credentials: 'include', body: ${JSON.stringify(body)},
       headers: { 'content-type': 'application/json', 'florin-dashboard': '1' } }`,
    `{ credentials: 'include' }`,
  ]
  for (const options of tries) {
    const read = await page.evaluate(
      `fetch('${target}', ${options}).then((answer) => answer.text(), () => 'refused')`,
    )
    assert.ok(read === 'refused' || read === '', `${options}: ${read}`)
  }
  const [answer] = await Promise.all([
    page.waitForResponse((one) => one.url() === target),
    page.getByRole('button', { name: 'Win' }).click(),
  ])
  assert.ok([403, 415].includes(answer.status()), String(answer.status()))
  const made = await call('GET', '/v1/transactions', { token: owner.token })
  assert.deepEqual(made.body.data, [])
  await page.context().close()
})
