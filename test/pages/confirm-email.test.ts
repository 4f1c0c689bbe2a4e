// The page behind the link that confirms a new email, as people and programs meet it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../src/primitives/ids.ts'
import { faultsFor, no_browser, openPage } from '../support/browser.ts'
import { views } from '../support/dashboard.ts'
import { startFlorin } from '../support/florin.ts'
import { credentials, type Owner } from '../support/people.ts'
import { newPassword } from '../support/secrets.ts'
import { shown } from '../support/shown.ts'

const florin = await startFlorin()
const live = await florin.another({
  FLORIN_MODE: 'live',
  DATABASE_URL: 'postgres://nobody@localhost/nothing',
  FLORIN_PUBLIC_URL: 'https://pay.example',
  FLORIN_PROCESSOR: 'manual',
})

async function newLink(name = 'Acme Ltd'): Promise<{ owner: Owner; email: string; link: string }> {
  const owner = await florin.people.owner()
  const { email } = credentials('new')
  const body = { email, name }
  await live.call('PATCH', '/v1/account', { token: owner.token, body: { name } })
  await live.call('PATCH', '/v1/account', { token: owner.token, body })
  const { rows } = await florin.db.pool.query(
    `select content::json -> 'facts' ->> 'url' as url from letters
     where account_id = $1 and kind = 'email_verification'`,
    [findUuid('account', owner.account_id)],
  )
  return { owner, email, link: new URL(rows[0].url).pathname }
}

async function emailOf(owner: Owner): Promise<string> {
  return (await live.call('GET', '/v1/account', { token: owner.token })).body.email
}

test('every answer is a page with the headers of one', async () => {
  const { link } = await newLink()
  const answers = [
    [await live.call('GET', link), 200],
    [await live.call('GET', `${link}x`), 404],
    [await live.call('GET', '/confirm-email/%00'), 404],
    [await live.call('GET', '/confirm-email'), 404],
    [await live.call('PUT', link), 405],
    [await live.call('POST', link), 200],
    [await live.call('POST', link), 404],
  ] as const
  for (const [answer, status] of answers) {
    assert.equal(answer.status, status)
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.match(answer.headers.get('content-security-policy')!, /^default-src 'none'; style-src/)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
    assert.equal(answer.headers.get('x-robots-tag'), 'noindex')
  }
})

test('a form that another site sent is refused', async () => {
  const { owner, link } = await newLink()
  for (const site of ['cross-site', 'same-site']) {
    const headers = { 'sec-fetch-site': site, origin: 'null' }
    assert.equal((await live.call('POST', link, { headers })).status, 403)
  }
  assert.equal(await emailOf(owner), owner.email)
})

test('a name is text on the page, whatever it holds', async () => {
  const { link } = await newLink('<script>alert(1)</script> "Acme" & Söhne')
  const { text } = await live.call('GET', link)
  assert.doesNotMatch(text, /<script/)
  assert.match(text, /&lt;script&gt;alert\(1\)&lt;\/script&gt; &quot;Acme&quot; &amp; Söhne/)
})

test('a reader without scripts confirms by keyboard alone', { skip: no_browser }, async () => {
  const { owner, email, link } = await newLink()
  const page = await openPage({ javaScriptEnabled: false })
  await page.goto(live.url + link)
  await page.getByRole('button', { name: 'Confirm email' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'The email has changed' }).waitFor()
  assert.equal(await emailOf(owner), email)
})

test('no state has a fault for axe, at any width, in either theme', {
  skip: no_browser,
}, async () => {
  for (const { colorScheme, width } of views) {
    const page = await openPage({ colorScheme, viewport: { width, height: 800 } })
    const look = async (heading: string) => {
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      assert.deepEqual(await faultsFor(page), [], heading)
      await shown(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
    }
    const confirm = () => page.getByRole('button', { name: 'Confirm email' }).click()
    const { link } = await newLink('A'.repeat(200))
    await page.goto(live.url + link)
    await look('Confirm your new email')
    await confirm()
    await look('The email has changed')
    await page.goto(live.url + link)
    await look('This link does not work')

    const other = await newLink()
    await page.goto(live.url + other.link)
    const taker = { email: other.email, password: newPassword() }
    await florin.call('POST', '/v1/users', { body: taker })
    await confirm()
    await look('This email is taken')
    await page.context().close()
  }
})
