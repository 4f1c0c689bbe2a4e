// The page behind the link that confirms a new email address.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../src/primitives/ids.ts'
import { languages } from '../../src/translations/localization.ts'
import { axeViolations, no_browser, openPage } from '../support/browser.ts'
import { page_variants } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { live_env, startFlorin } from '../support/florin.ts'
import { credentials, type Owner } from '../support/people.ts'
import { newPassword } from '../support/secrets.ts'

const florin = await startFlorin()
const live = await florin.startSecondServer(live_env)

interface EmailChangeLink {
  owner: Owner
  email: string
  link: string
}

async function newLink(name = 'Acme Ltd', language = 'en'): Promise<EmailChangeLink> {
  const owner = await florin.people.owner()
  const { email } = credentials('new')
  const body = { email, name }
  const settings = { language }
  await live.call('PATCH', '/v1/account', { token: owner.token, body: { name, settings } })
  await live.call('PATCH', '/v1/account', { token: owner.token, body })
  const { rows } = await florin.db.pool.query(
    `select content::json -> 'facts' ->> 'url' as url from emails
     where account_id = $1 and kind = 'email_verification'`,
    [findUuid('account', owner.account_id)],
  )
  return { owner, email, link: new URL(rows[0].url).pathname }
}

async function emailOf(owner: Owner): Promise<string> {
  return (await live.call('GET', '/v1/account', { token: owner.token })).body.email
}

test('every response is an HTML page with security headers', async () => {
  const { link } = await newLink()
  const responses = [
    [await live.call('GET', link), 200],
    [await live.call('GET', `${link}x`), 404],
    [await live.call('GET', '/confirm-email/%00'), 404],
    [await live.call('GET', '/confirm-email'), 404],
    [await live.call('PUT', link), 405],
    [await live.call('POST', link), 200],
    [await live.call('POST', link), 404],
  ] as const
  for (const [response, status] of responses) {
    assert.equal(response.status, status)
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.match(response.headers.get('content-security-policy')!, /^default-src 'none'; style-src/)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
    assert.equal(response.headers.get('x-robots-tag'), 'noindex')
  }
})

test('rejects a form submitted from another site', async () => {
  const { owner, link } = await newLink()
  for (const site of ['cross-site', 'same-site']) {
    const headers = { 'sec-fetch-site': site, origin: 'null' }
    assert.equal((await live.call('POST', link, { headers })).status, 403)
  }
  assert.equal(await emailOf(owner), owner.email)
})

test('escapes the account name', async () => {
  const { link } = await newLink('<script>alert(1)</script> "Acme" & Söhne')
  const { text } = await live.call('GET', link)
  assert.doesNotMatch(text, /<script/)
  assert.match(text, /&lt;script&gt;alert\(1\)&lt;\/script&gt; &quot;Acme&quot; &amp; Söhne/)
})

/** Another user registers with the requested address. */
async function takeEmail(email: string): Promise<void> {
  const body = { email, password: newPassword() }
  await florin.call('POST', '/v1/users', { body })
}

/** The page is in this language and has this heading. */
function assertPage(text: string, lang: string, heading: string): void {
  assert.match(text, new RegExp(`<html lang="${lang}">`))
  assert.ok(text.includes(`<h1>${heading}</h1>`), text)
  assert.ok(text.includes(`<title>${heading} · Florin</title>`), text)
}

test('the page is in the language of the account', async () => {
  const headers = { 'accept-language': 'es' }
  for (const [tag, lang] of [
    ['en', 'en'],
    ['de-AT', 'de'],
    ['pt-BR', 'pt'],
    ['ja', 'ja'],
    ['pl', 'en'],
  ] as const) {
    const translations = languages[lang].confirm_email_page
    const { link } = await newLink('Acme Ltd', tag)
    const confirm = await live.call('GET', link, { headers })
    assertPage(confirm.text, lang, translations.confirm.heading)
    assert.ok(confirm.text.includes(translations.confirm.lead('\u2068Acme Ltd\u2069')))
    assert.ok(confirm.text.includes(`>${translations.confirm.button}</button>`))
    const done = await live.call('POST', link, { headers })
    assertPage(done.text, lang, translations.confirmed.heading)

    const other = await newLink('Acme Ltd', tag)
    await takeEmail(other.email)
    const taken = await live.call('POST', other.link, { headers })
    assert.equal(taken.status, 409)
    assertPage(taken.text, lang, translations.taken.heading)
  }
})

test('the German page is fully translated', async () => {
  const { link } = await newLink('Acme Ltd', 'de')
  const { text } = await live.call('GET', link)
  assert.match(text, /<h1>Bestätigen Sie Ihre neue E\u2011Mail-Adresse<\/h1>/)
  assert.match(text, /<dt>Neue Adresse<\/dt>/)
  assert.match(text, /<footer>Zahlungsabwicklung durch Florin<\/footer>/)
})

test('an invalid link shows a page in the language of the browser', async () => {
  for (const [accept_language, lang] of [
    ['pl, de;q=0.8', 'de'],
    ['fr-CA', 'fr'],
    ['pl', 'en'],
  ] as const) {
    const headers = { 'accept-language': accept_language }
    for (const method of ['GET', 'POST']) {
      const response = await live.call(method, '/confirm-email/x', { headers })
      assert.equal(response.status, 404)
      assertPage(response.text, lang, languages[lang].confirm_email_page.invalid.heading)
    }
  }
})

test('confirms by keyboard without scripts', { skip: no_browser }, async () => {
  const { owner, email, link } = await newLink()
  const page = await openPage({ javaScriptEnabled: false })
  await page.goto(live.url + link)
  await page.getByRole('button', { name: 'Confirm email' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Your email address has changed' }).waitFor()
  assert.equal(await emailOf(owner), email)
})

// Each variant in a different language: German has the longest words, and Japanese has no spaces.
const shown_languages = ['en', 'de', 'ja', 'fr'] as const

test('axe finds no violations in any state, width or theme', {
  skip: no_browser,
}, async () => {
  for (const [at, { colorScheme, width }] of page_variants.entries()) {
    const locale = shown_languages[at % shown_languages.length]!
    const translations = languages[locale].confirm_email_page
    const page = await openPage({ colorScheme, locale, viewport: { width, height: 800 } })
    const look = async (heading: string) => {
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      assert.deepEqual(await axeViolations(page), [], heading)
      await eventually(
        () => page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
        true,
      )
    }
    const confirm = () => page.getByRole('button', { name: translations.confirm.button }).click()
    const { link } = await newLink('A'.repeat(200), locale)
    await page.goto(live.url + link)
    await look(translations.confirm.heading)
    await confirm()
    await look(translations.confirmed.heading)
    await page.goto(live.url + link)
    await look(translations.invalid.heading)

    const other = await newLink('Acme Ltd', locale)
    await page.goto(live.url + other.link)
    await takeEmail(other.email)
    await confirm()
    await look(translations.taken.heading)
    await page.context().close()
  }
})
