import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paymentPagePolicy, paymentScript } from '../../src/pages/payment-assets.ts'
import { paymentPage } from '../../src/pages/payment-page.ts'
import { formView, paymentViews } from '../support/payment-views.ts'

const pages = new Map([...paymentViews].map(([name, view]) => [name, paymentPage(view)]))

test('the card form comes first and the test card form second', () => {
  for (const [name, page] of pages) {
    const forms = [...page.matchAll(/<form [^>]*method="post"[\s\S]*?<\/form>/g)].map(
      ([text]) => text,
    )
    if (name.startsWith('checkout')) {
      assert.equal(forms.length, 1, name)
      assert.doesNotMatch(page, /cc-number|test-cards/)
      continue
    }
    if (name === 'confirm') continue
    assert.equal(forms.length, name.startsWith('form') ? 2 : 0, name)
    if (forms.length === 0) continue
    for (const kind of ['cc-number', 'cc-exp', 'cc-csc']) {
      assert.match(forms[0]!, new RegExp(`type="text" inputmode="numeric" autocomplete="${kind}"`))
    }
    assert.match(forms[0]!, /action="\/pay\/example"/)
    for (const form of forms) assert.match(form, /name="form_token" value="token-of-the-form"/)
    assert.doesNotMatch(forms[1]!, /autocomplete/)
  }
})

test('live mode shows no test cards and no sandbox banner', () => {
  const page = paymentPage({ ...formView(), sandbox: false } as never)
  assert.doesNotMatch(page, /4242|class="band"|test-cards/)
  assert.match(pages.get('form')!, /class="band"/)
})

test('pages have no inline scripts or styles and load nothing from other hosts', () => {
  // The links of a branded account lead to other hosts; its color is the only inline style, which
  // the policy allows by its hash.
  const links = /<a [^>]*href="https:\/\/acme\.example\/[^>]*>[^<]*<\/a>/g
  const accent = /<style>:root\{--accent:[^<]*<\/style>/
  for (const [name, page] of pages) {
    const checked = name.endsWith('-branded') ? page.replace(links, '').replace(accent, '') : page
    assert.doesNotMatch(checked, /<style|style="|<script>|\son\w+="|https?:|\/\//, name)
    assert.equal(page.match(/<script /g)?.length, 1)
    assert.match(page, /<meta name="robots" content="noindex">/)
    assert.equal(page.match(/<h1/g)?.length, 1)
  }
  assert.doesNotMatch(paymentPagePolicy, /unsafe|https?:|\*|data:/)
  assert.ok(Buffer.byteLength(paymentScript.text) < 30_000)
})

test('each error states what happened, that no money was taken, and what to do', () => {
  const textOf = (name: string) =>
    /role="alert"[\s\S]*?<b>([^<]*)<\/b> <span>([^<]*)</.exec(pages.get(name)!)?.slice(1).join(' ')
  assert.equal(
    textOf('form-declined'),
    'The card was declined. You were not charged. Try another card.',
  )
  for (const name of [...pages.keys()].filter((key) => key.startsWith('form-'))) {
    if (['form-malformed', 'form-with-return', 'form-branded'].includes(name)) continue
    assert.match(textOf(name)!, /^\w.*\. You were not charged/, name)
    assert.match(pages.get(name)!, /<title>Error: /)
  }
})

test('errors are linked to their fields, and the first invalid field has the focus', () => {
  const page = pages.get('form-malformed')!
  const inputOf = (id: string) => new RegExp(`<input id="${id}"[^>]*>`).exec(page)![0]
  for (const id of ['number', 'expires', 'csc']) {
    assert.match(inputOf(id), /aria-invalid="true"/)
    assert.match(inputOf(id), new RegExp(`aria-describedby="[^"]*${id}-fault"`))
  }
  assert.equal(page.match(/autofocus/g)?.length, 1)
  assert.match(inputOf('number'), /autofocus/)
})

test('the receipt shows the payee, the time in the account time zone, and the number', () => {
  const page = pages.get('paid')!.replaceAll('\u202f', ' ')
  assert.match(page, /<dt>Paid to<\/dt>\s*<dd dir="auto">Acme Ltd</)
  assert.match(page, /November 15, 2026 at 5:42 AM EST/)
  assert.match(page, /019a9d5e-7b1c-7c3a-9d52-4f0e8a6b2c11/)
  assert.match(pages.get('already_paid')!, /You were not charged again\./)
})

test('the receipt shows full and partial refunds with their date', () => {
  const shown = (name: string) => pages.get(name)!.replaceAll('\u202f', ' ')
  const full = shown('refunded')
  assert.match(full, /<h2 id="state">Refunded<\/h2>/)
  assert.match(full, /has refunded your payment in full\./)
  assert.match(full, /<dt>Refunded<\/dt>\s*<dd dir="auto">\$75\.00</)
  assert.match(
    full,
    /<dt>Refunded on<\/dt>\s*<dd dir="auto"><time [^>]+>November 18, 2026 at 10:03/,
  )
  const part = shown('partly-refunded')
  assert.match(part, /<title>Partially refunded: \$25\.00 of \$75\.00/)
  assert.match(part, /<h2 id="state">Partially refunded<\/h2>/)
  assert.match(part, /has refunded \$25\.00 of \$75\.00\./)
  assert.match(part, /<dt>Refunded<\/dt>\s*<dd dir="auto">\$25\.00 of \$75\.00</)
  const again = shown('already-paid-refunded')
  assert.match(again, /<h2 id="state">Already paid<\/h2>/)
  assert.match(again, /\$0\.01 of \$75\.00/)
  assert.doesNotMatch(shown('paid'), /efunded/)
})

test('shows the expiry time to the minute', () => {
  for (const name of ['form', 'manual', 'expired']) {
    const page = pages.get(name)!.replaceAll('\u202f', ' ')
    assert.match(page, /December 14, 2026 at 6:00 PM EST/, name)
  }
})

test('a closed request shows the reason, and mentions money only for cards', () => {
  const textOf = (name: string) =>
    /<h2 id="state">[^<]*<\/h2>\s*<p>(.*?)<\/p>/s
      .exec(pages.get(name)!)![1]!
      .replace(/<\/?time[^>]*>/g, '')
  assert.match(textOf('failed'), /^Your payment was declined ten times\. You were not charged\./)
  assert.match(textOf('failed-otherwise'), /^It can no longer be paid\. You were not charged\./)
  for (const name of ['failed-transfer', 'expired-transfer']) {
    assert.doesNotMatch(textOf(name), /card|You were not charged/, name)
    assert.match(textOf(name), /If you already sent the money, contact \u2068Acme Ltd/, name)
  }
  assert.match(textOf('unavailable-transfer'), /Don&#39;t send any money\./)
})

test('the processing page refreshes itself without scripts', () => {
  const refresh = '<noscript><meta http-equiv="refresh" content="3; url=/pay/example"></noscript>'
  for (const [name, page] of pages) assert.equal(page.includes(refresh), name === 'processing')
})

test('removes bidi controls from the account name', () => {
  const view = { ...formView(), account_name: 'Acme\u2069\u202e dtL' } as never
  const page = paymentPage(view)
  assert.doesNotMatch(page, /\u202e/)
  assert.match(page, /Your payment goes to \u2068Acme dtL\u2069\. They/)
})

test('an open request links back at the top, an ended one with a button', () => {
  const link =
    /<p class="back"><a href="\/pay\/example\/return">[\s\S]*?Back to \u2068Acme Ltd\u2069/
  const button = /<a class="(\w+)" id="back" href="\/pay\/example\/return">Back to \u2068Acme Ltd/
  for (const state of ['form', 'manual']) {
    const page = pages.get(`${state}-with-return`)!
    assert.match(page, link, state)
    assert.doesNotMatch(page, button, state)
  }
  const kinds = {
    paid: 'primary',
    'already-paid': 'primary',
    failed: 'secondary',
    expired: 'secondary',
  }
  for (const [state, kind] of Object.entries(kinds)) {
    const page = pages.get(`${state}-with-return`)!
    assert.equal(button.exec(page)?.[1], kind, state)
    assert.doesNotMatch(page, link, state)
  }
  for (const [name, page] of pages) {
    if (!name.endsWith('-with-return')) assert.doesNotMatch(page, /Back to|\/return/, name)
  }
})

test('every state shows the contact, as a link without markup of the reference', () => {
  const none = ['not_found', 'away']
  for (const [name, page] of pages) {
    const href =
      /Questions about this payment\? <a href="([^"]+)"\s+dir="ltr">billing@acme\.example</.exec(
        page,
      )
    const expected = 'mailto:billing@acme.example?subject=Invoice%202026-114'
    assert.equal(href?.[1], none.includes(name) ? undefined : expected, name)
  }
  const odd = { contact_email: "o'neil+a&b?c@acme.example", reference: '"><b>&bcc=x@y.example' }
  const page = paymentPage({ ...formView(), ...odd } as never)
  const [, href] = /href="(mailto:[^"]+)"/.exec(page)!
  assert.equal(
    href,
    'mailto:o&#39;neil%2Ba%26b%3Fc@acme.example?subject=%22%3E%3Cb%3E%26bcc%3Dx%40y.example',
  )
  const bare = paymentPage({ ...formView(), reference: null } as never)
  assert.match(bare, /href="mailto:billing@acme\.example"/)
})

test('each time has its instant, its time zone and its locale for the script', () => {
  const page = paymentPage({ ...paymentViews.get('expired')!, language: 'de-CH' } as never)
  const time = /<time datetime="([^"]+)" data-zone="([^"]+)"\s+data-locale="([^"]+)">([^<]+)</
  assert.deepEqual(time.exec(page)!.slice(1), [
    '2026-12-14T23:00:00.000Z',
    'America/New_York',
    'de-CH',
    '14. Dezember 2026 um 18:00 GMT-5',
  ])
})

test('the confirmation has two buttons and contains no card data but the test card', () => {
  const page = pages.get('confirm')!
  const form = /<form method="post" action="\/pay\/example" id="confirm-form">[\s\S]*<\/form>/
  const [text] = form.exec(page)!
  assert.match(text, /name="form_token" value="token-of-the-form"/)
  assert.match(text, /name="card" value="4000002760003184"/)
  assert.match(text, /name="confirmation" value="confirmed">Confirm payment</)
  assert.match(text, /name="confirmation" value="rejected">Reject payment</)
  assert.match(page, /Your bank asks you to confirm the payment of \$75\.00 to \u2068Acme Ltd/)
})
