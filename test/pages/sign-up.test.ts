// The sign-up page over HTTP: what it creates, what it rejects, and what it must not reveal.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emailsTo, form, linkTo, open_live_env } from '../identity/one-time-links/links.ts'
import { startFlorin } from '../support/florin.ts'
import { credentials } from '../support/people.ts'
import { newPassword, recordSecret } from '../support/secrets.ts'

const florin = await startFlorin()
const live = await florin.startSecondServer(open_live_env)

interface Fields {
  name: string
  type: string
  email: string
  password: string
  timezone?: string
}

type Server = Pick<typeof florin, 'call'>

function newAccount(): Fields {
  const { email, password } = credentials('sign-up')
  return { name: 'Acme Ltd', type: 'business', email, password }
}

function submit(
  fields: Partial<Fields>,
  headers: Record<string, string> = {},
  server: Server = florin,
) {
  const body = new URLSearchParams(fields as Record<string, string>).toString()
  return server.call('POST', '/signup', { body, headers: { ...form, ...headers } })
}

/** The error text of a field. */
function faultOf(text: string, field: string): string | undefined {
  return new RegExp(`class="fault" id="${field}-note"><svg[^]*?</svg>([^<]*)<`).exec(text)?.[1]
}

test('sandbox: opens the account with the settings of the browser, and signs in', async () => {
  const fields = { ...newAccount(), timezone: 'Europe/Zurich' }
  const language = { 'accept-language': 'xx, de-CH;q=0.9, en;q=0.8' }
  const { status, headers, text } = await submit(fields, language)
  assert.deepEqual([status, headers.get('location'), text], [303, '/dashboard', ''])
  const cookie = recordSecret(headers.get('set-cookie')!.split(';')[0]!)
  assert.match(headers.get('set-cookie')!, /HttpOnly; SameSite=Strict/)
  const session = await florin.call('GET', '/dashboard/api/session', { headers: { cookie } })
  assert.deepEqual([session.body.user.email, session.body.user.role], [fields.email, 'owner'])
  const account = await florin.call('GET', '/dashboard/api/v1/account', { headers: { cookie } })
  assert.deepEqual(
    [account.body.name, account.body.type, account.body.status, account.body.settings],
    [
      'Acme Ltd',
      'business',
      'active',
      { currency: 'USD', timezone: 'Europe/Zurich', language: 'de-CH' },
    ],
  )

  const again = await submit(fields)
  assert.equal(again.status, 400)
  assert.match(faultOf(again.text, 'email')!, /already exists\. Log in, or enter another email\./)
  assert.equal(again.headers.get('set-cookie'), null)
})

test('without a supported time zone and language it uses UTC and English', async () => {
  for (const [timezone, language] of [
    ['', ''],
    ['Mars/Base', 'tlh, en-QQ'],
  ]) {
    const fields = { ...newAccount(), timezone: timezone! }
    const { headers } = await submit(fields, { 'accept-language': language! })
    const cookie = recordSecret(headers.get('set-cookie')!.split(';')[0]!)
    const account = await florin.call('GET', '/dashboard/api/v1/account', { headers: { cookie } })
    assert.deepEqual(account.body.settings, { currency: 'USD', timezone: 'UTC', language: 'en' })
  }
})

test('shows errors at their fields, keeps the values, and never returns the password', async () => {
  const wrong = { name: ' <b> ', type: 'charity', email: 'ann@', password: 'short1!' }
  const { status, text } = await submit(wrong)
  assert.equal(status, 400)
  assert.match(text, /<title>Error: /)
  assert.equal(faultOf(text, 'name'), undefined)
  assert.equal(faultOf(text, 'type'), 'Choose one of the two.')
  assert.equal(faultOf(text, 'email'), 'Enter an email address such as ann@example.com.')
  assert.match(faultOf(text, 'password')!, /^The password must have at least 8 characters; got 7/)
  assert.match(text, /value="&lt;b&gt;"/)
  assert.match(text, /value="ann@"/)
  assert.ok(!text.includes(wrong.password))
  const empty = await submit({})
  assert.match(faultOf(empty.text, 'name')!, /^Enter the name/)
  const individual = await submit({ name: '\u0007', type: 'individual' })
  assert.match(individual.text, /value="individual" checked/)
  assert.equal(
    faultOf(individual.text, 'name'),
    'Enter a name with visible characters, on one line.',
  )
  assert.match(
    faultOf((await submit({ name: 'x'.repeat(201) })).text, 'name')!,
    /at most 200 characters/,
  )
})

test('live: the page is the same for a new and a known email', async () => {
  const fields = { ...newAccount(), password: recordSecret(`${newPassword()} and more words`) }
  const member = await florin.people.member(await florin.people.owner())
  const fresh = await submit(fields, {}, live)
  const known = [
    await submit(fields, {}, live),
    await submit({ ...fields, email: member.email }, {}, live),
  ]
  assert.equal(fresh.status, 200)
  assert.match(fresh.text, /<h1>Check your email<\/h1>/)
  const plain = (text: string, email: string) => text.replaceAll(email, 'EMAIL')
  for (const [at, page] of known.entries()) {
    const email = at === 0 ? fields.email : member.email
    assert.equal(page.status, fresh.status)
    assert.equal(plain(page.text, email), plain(fresh.text, fields.email))
    const names = (headers: Headers) => [...headers.keys()].sort()
    assert.deepEqual(names(page.headers), names(fresh.headers))
    assert.equal(page.headers.has('set-cookie'), false)
  }
  assert.deepEqual(await kindsTo(fields.email), ['sign_up_verification', 'sign_up_verification'])
  assert.deepEqual(await kindsTo(member.email), ['sign_up_attempt'])
  const { email, password } = fields
  const login = await live.call('POST', '/v1/auth/login', { body: { email, password } })
  assert.equal(login.status, 401, 'pending until the link is used')
  const link = await linkTo(florin.db, email, 'sign_up_verification')
  const body = new URLSearchParams({ password }).toString()
  const verified = await live.call('POST', link, { body, headers: form })
  assert.deepEqual([verified.status, verified.headers.has('set-cookie')], [303, true])
})

const kindsTo = async (email: string) => (await emailsTo(florin.db, email)).map(({ kind }) => kind)

test('closed sign-up shows what to do, and creates nothing', async () => {
  const closed = await florin.startSecondServer({ FLORIN_SIGNUP: 'closed' })
  const fields = newAccount()
  for (const page of [await closed.call('GET', '/signup'), await submit(fields, {}, closed)]) {
    assert.equal(page.status, 403)
    assert.match(page.text, /<h1>Sign-up is closed<\/h1>/)
  }
  const { email, password } = fields
  const login = await closed.call('POST', '/v1/auth/login', { body: { email, password } })
  assert.equal(login.status, 401)
})

test('rejects forms of other sites, also without Sec-Fetch-Site', async () => {
  const { host } = new URL(florin.url)
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'null' },
    { origin: 'http://evil.example' },
    { origin: `http://${host}.evil.example` },
  ]
  for (const headers of foreign) {
    const { status, text } = await submit({}, headers as Record<string, string>)
    assert.equal(status, 403, JSON.stringify(headers))
    assert.match(text, /submitted from another site/)
  }
  for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: `http://${host}` }]) {
    assert.equal((await submit({}, headers as Record<string, string>)).status, 400)
  }
  const { headers } = await florin.call('GET', '/signup')
  assert.equal(headers.get('referrer-policy'), 'same-origin')
  assert.match(headers.get('content-security-policy')!, /; script-src 'self'$/)
})

test('counts against the limit of sign-ups per address, known emails too', async () => {
  const limited = await florin.startSecondServer({ FLORIN_RATE_LIMIT: '10000' })
  const { email } = await florin.people.lone()
  const fields = { ...newAccount(), email }
  const pages = await Promise.all(Array.from({ length: 310 }, () => submit(fields, {}, limited)))
  const statuses = new Map(Map.groupBy(pages, ({ status }) => status))
  assert.deepEqual([...statuses.keys()].sort(), [400, 429])
  assert.match(statuses.get(429)![0]!.text, /<h1>Too many requests<\/h1>/)
})
