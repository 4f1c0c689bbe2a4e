// The page behind the link that confirms a new email, as people and programs meet it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { confirmEmailTranslations } from '../../src/pages/confirm-email-translations.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { axeViolations, no_browser, openPage } from '../support/browser.ts'
import { page_variants } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { live_env, startFlorin } from '../support/florin.ts'
import { credentials, type Owner } from '../support/people.ts'
import { newPassword } from '../support/secrets.ts'

const florin = await startFlorin()
const live = await florin.startSecondServer(live_env)

interface Linked {
  owner: Owner
  email: string
  link: string
}

async function newLink(name = 'Acme Ltd', language = 'en'): Promise<Linked> {
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

test('every response is a page with the headers of one', async () => {
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

/** Somebody else comes with the email that was asked for. */
async function takeEmail(email: string): Promise<void> {
  const body = { email, password: newPassword() }
  await florin.call('POST', '/v1/users', { body })
}

/** The page has this heading, and says whose words it is in. */
function speaks(text: string, lang: string, heading: string): void {
  assert.match(text, new RegExp(`<html lang="${lang}">`))
  assert.ok(text.includes(`<h1>${heading}</h1>`), text)
  assert.ok(text.includes(`<title>${heading} · Florin</title>`), text)
}

test('the page speaks the language of the account, as its email does', async () => {
  const headers = { 'accept-language': 'es' }
  for (const [tag, lang] of [
    ['en', 'en'],
    ['de-AT', 'de'],
    ['pt-BR', 'pt'],
    ['ja', 'ja'],
    ['pl', 'en'],
  ] as const) {
    const words = confirmEmailTranslations[lang]
    const { link } = await newLink('Acme Ltd', tag)
    const asked = await live.call('GET', link, { headers })
    speaks(asked.text, lang, words.confirm.heading)
    assert.ok(asked.text.includes(words.confirm.lead('\u2068Acme Ltd\u2069')))
    assert.ok(asked.text.includes(`>${words.confirm.button}</button>`))
    const done = await live.call('POST', link, { headers })
    speaks(done.text, lang, words.confirmed.heading)

    const other = await newLink('Acme Ltd', tag)
    await takeEmail(other.email)
    const taken = await live.call('POST', other.link, { headers })
    assert.equal(taken.status, 409)
    speaks(taken.text, lang, words.taken.heading)
  }
})

test('German says it in German, down to the foot', async () => {
  const { link } = await newLink('Acme Ltd', 'de')
  const { text } = await live.call('GET', link)
  assert.match(text, /<h1>Bestätigen Sie Ihre neue E\u2011Mail-Adresse<\/h1>/)
  assert.match(text, /<dt>Neue Adresse<\/dt>/)
  assert.match(text, /<footer>Zahlungen mit Florin<\/footer>/)
})

test('a link that is nobody’s is answered in a language of the browser', async () => {
  for (const [asked, lang] of [
    ['pl, de;q=0.8', 'de'],
    ['fr-CA', 'fr'],
    ['pl', 'en'],
  ] as const) {
    const headers = { 'accept-language': asked }
    for (const method of ['GET', 'POST']) {
      const response = await live.call(method, '/confirm-email/x', { headers })
      assert.equal(response.status, 404)
      speaks(response.text, lang, confirmEmailTranslations[lang].dead.heading)
    }
  }
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

// Each view in another language: German has the longest words, Japanese has none to break at.
const languages = ['en', 'de', 'ja', 'fr'] as const

test('no state has a fault for axe, at any width, in either theme', {
  skip: no_browser,
}, async () => {
  for (const [at, { colorScheme, width }] of page_variants.entries()) {
    const locale = languages[at % languages.length]!
    const words = confirmEmailTranslations[locale]
    const page = await openPage({ colorScheme, locale, viewport: { width, height: 800 } })
    const look = async (heading: string) => {
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      assert.deepEqual(await axeViolations(page), [], heading)
      await eventually(
        () => page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
        true,
      )
    }
    const confirm = () => page.getByRole('button', { name: words.confirm.button }).click()
    const { link } = await newLink('A'.repeat(200), locale)
    await page.goto(live.url + link)
    await look(words.confirm.heading)
    await confirm()
    await look(words.confirmed.heading)
    await page.goto(live.url + link)
    await look(words.dead.heading)

    const other = await newLink('Acme Ltd', locale)
    await page.goto(live.url + other.link)
    await takeEmail(other.email)
    await confirm()
    await look(words.taken.heading)
    await page.context().close()
  }
})
