// Logo, color and contact of an account, through the API.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { live_env, startFlorin } from '../../support/florin.ts'
import { assertNoChanges } from '../../support/hash-database.ts'
import { animated_png, animatedWebp, jpeg, png, webp } from './images.ts'

const florin = await startFlorin()
const path = '/v1/account/branding'

const update = (token: string, body: unknown, call = florin.call) =>
  call('PATCH', path, { token, body })
const upload = (token: string, bytes: Buffer | string) => {
  const image = typeof bytes === 'string' ? bytes : bytes.toString('base64')
  return florin.call('POST', '/v1/account/logo', { token, body: { image } })
}

const nothing = {
  logo_url: null,
  accent_color: null,
  support_email: null,
  support_phone: null,
  website: null,
  terms_url: null,
  statement_name: null,
  payment_instructions: null,
}

const everything = {
  accent_color: '#7a1f5c',
  support_email: 'help@acme.example',
  support_phone: '+1 (555) 010-0199',
  website: 'https://acme.example/',
  terms_url: 'https://acme.example/terms?v=2',
  statement_name: 'ACME LTD',
  payment_instructions: 'Transfer to Acme.\nIBAN DE02 1203 0000 0000 2020 51',
}

test('fields are set, kept and removed', async () => {
  const { token, account_id } = await florin.people.owner()
  const empty = await florin.call('GET', path, { token })
  assert.deepEqual(empty.body, { account_id, ...nothing, updated_at: null })
  const set = await update(token, everything)
  assert.equal(set.status, 200, set.text)
  const { updated_at } = set.body
  assert.deepEqual(set.body, { account_id, ...nothing, ...everything, updated_at })
  const removed = await update(token, { support_phone: null, accent_color: '#0B6B50' })
  const changed = { ...everything, support_phone: null, accent_color: '#0b6b50' }
  assert.deepEqual({ ...removed.body, updated_at }, { ...set.body, ...changed })
  assert.deepEqual((await florin.call('GET', path, { token })).body, removed.body)
})

test('an update that changes nothing writes nothing', async () => {
  const { token } = await florin.people.owner()
  await update(token, everything)
  await assertNoChanges(florin.db.pool, async () => {
    assert.equal((await update(token, everything)).status, 200)
    assert.equal((await update(token, {})).status, 200)
  })
})

const malformed: [field: string, value: unknown, rule: RegExp][] = [
  ['accent_color', '#ffff00', /"accent_color" must differ .*; got "#ffff00"\. The nearest/],
  ['accent_color', 'red;}*{', /"accent_color" must be a color/],
  ['support_email', 'help', /"support_email" must be an email address/],
  ['support_email', 'a@b.example\r\nBcc: c@d.example', /"support_email"/],
  ['support_phone', 'call us', /"support_phone" must be a phone number .*; got "call us"/],
  ['support_phone', '+1 2', /5 to 15 digits/],
  ['website', 'javascript:alert(1)', /"website" must be an https URL/],
  ['website', 'http://acme.example', /"website" must start with https:/],
  ['terms_url', 'https://user:pass@acme.example', /"terms_url" must not contain a user name/],
  ['statement_name', 'ACM', /"statement_name" must have 5 to 22 characters/],
  ['statement_name', 'ACME <b>', /"statement_name"/],
  ['statement_name', '12345', /at least one of a to z/],
  ['payment_instructions', 'a\u0007b', /"payment_instructions" must be well-formed text/],
  ['payment_instructions', ' \n ', /Send null to remove/],
  ['payment_instructions', 'x'.repeat(1_001), /"payment_instructions"/],
  ['logo_url', 'https://evil.example/logo.svg', /logo_url/],
]

test('malformed values are rejected, and nothing changes', async () => {
  const { token } = await florin.people.owner()
  await assertNoChanges(florin.db.pool, async () => {
    for (const [field, value, rule] of malformed) {
      const { status, body } = await update(token, { support_email: 'a@b.example', [field]: value })
      assert.deepEqual([status, body.error], [400, 'invalid_request'], `${field}: ${value}`)
      assert.match(body.message, rule)
    }
  })
})

test('a sandbox accepts websites on loopback, live does not', async () => {
  const { token } = await florin.people.owner()
  assert.equal((await update(token, { website: 'http://localhost:3000/' })).status, 200)
  const live = await florin.startSecondServer(live_env)
  assert.equal((await update(token, { website: 'http://localhost:3000/' }, live.call)).status, 400)
})

for (const [name, image, type] of [
  ['PNG', png(200, 60), 'image/png'],
  ['JPEG', jpeg(1_024, 1_024), 'image/jpeg'],
  ['lossy WebP', webp(300, 100, 'VP8 '), 'image/webp'],
  ['lossless WebP', webp(1, 1_024, 'VP8L'), 'image/webp'],
  ['extended WebP', webp(64, 64, 'VP8X'), 'image/webp'],
] as const) {
  test(`a ${name} is served under an immutable URL`, async () => {
    const { token, account_id } = await florin.people.owner()
    const { status, body, text } = await upload(token, image)
    assert.equal(status, 200, text)
    const { pathname } = new URL(body.logo_url)
    assert.match(pathname, new RegExp(`^/brand/${account_id}/[0-9a-f]{32}$`))
    const response = await fetch(`${florin.url}${pathname}`)
    assert.equal(response.status, 200)
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), image)
    const { headers } = response
    assert.equal(headers.get('content-type'), type)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox")
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
    const etag = headers.get('etag')!
    const again = await fetch(`${florin.url}${pathname}`, { headers: { 'if-none-match': etag } })
    assert.equal(again.status, 304)
  })
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const type_rule = /"image" must be a PNG, JPEG or WebP file/
const hostile: [name: string, image: Buffer | string, rule: RegExp][] = [
  ['an SVG', Buffer.from(svg), type_rule],
  ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>'), type_rule],
  ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1'), type_rule],
  ['a PNG with a script after its end', png(8, 8, { end: Buffer.from(svg) }), type_rule],
  ['a truncated PNG', png(8, 8).subarray(0, 40), type_rule],
  ['a PNG signature only', png(8, 8).subarray(0, 8), type_rule],
  ['an animated PNG', animated_png, type_rule],
  ['a PNG of many pixels', png(65_535, 65_535), /at most 1024 × 1024 pixels; got 65535 × 65535/],
  ['a PNG without pixels', png(0, 8), /got 0 × 8/],
  ['a wide JPEG', jpeg(1_025, 1), /got 1025 × 1/],
  ['a JPEG without an end', jpeg(8, 8).subarray(0, -2), type_rule],
  ['a JPEG of empty segments', Buffer.from('ffd8ffe00000ffd9', 'hex'), type_rule],
  ['a WebP with a wrong length', Buffer.concat([webp(8, 8, 'VP8L'), Buffer.alloc(3)]), type_rule],
  ['an animated WebP', animatedWebp(), type_rule],
  ['one byte', Buffer.from([0x89]), type_rule],
  ['random bytes', Buffer.from('f00dbabe'.repeat(64), 'hex'), type_rule],
  ['65 KiB', Buffer.alloc(66_000, 1), /at most 64 KiB; got 65 KiB/],
  ['text that is not base64', 'not base64!', /"image" must be the file in base64/],
  ['base64url', png(8, 8).toString('base64url'), /"image" must be the file in base64/],
]

test('hostile images are rejected, and nothing changes', async () => {
  const { token } = await florin.people.owner()
  await assertNoChanges(florin.db.pool, async () => {
    for (const [name, image, rule] of hostile) {
      const { status, body } = await upload(token, image)
      assert.deepEqual([status, body.error], [400, 'invalid_request'], name)
      assert.match(body.message, rule, name)
    }
  })
  const huge = await upload(token, 'A'.repeat(200_000))
  assert.equal(huge.status, 413)
})

test('an earlier logo keeps its URL until the logo is deleted', async () => {
  const { token } = await florin.people.owner()
  const statusOf = async (url: string) =>
    (await fetch(`${florin.url}${new URL(url).pathname}`)).status
  const first = (await upload(token, png(10, 10))).body.logo_url
  const second = (await upload(token, png(20, 10))).body.logo_url
  assert.notEqual(first, second)
  assert.deepEqual([await statusOf(first), await statusOf(second)], [200, 200])
  // Only the newest ten stay.
  for (let side = 30; side < 39; side++) await upload(token, png(side, side))
  assert.equal(await statusOf(first), 404)
  assert.equal(await statusOf(second), 200)
  const deleted = await florin.call('DELETE', '/v1/account/logo', { token })
  assert.deepEqual([deleted.status, deleted.body.logo_url], [200, null])
  assert.equal(await statusOf(second), 404)
})

test('a logo of another account, and a malformed URL, are not found', async () => {
  const [one, other] = [await florin.people.owner(), await florin.people.owner()]
  const { logo_url } = (await upload(one.token, png(12, 12))).body
  const hash = logo_url.split('/').at(-1)
  for (const tail of [`${other.account_id}/${hash}`, `x/${hash}`, `${one.account_id}/..%2f`]) {
    assert.equal((await florin.call('GET', `/brand/${tail}`)).status, 404, tail)
  }
})
