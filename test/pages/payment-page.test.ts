import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paymentPagePolicy, paymentScript } from '../../src/pages/payment-assets.ts'
import { paymentPage } from '../../src/pages/payment-page.ts'
import { formView, paymentViews } from '../support/payment-views.ts'

const pages = new Map([...paymentViews].map(([name, view]) => [name, paymentPage(view)]))

test('the card form is the first form of the page, and the test cards are the second', () => {
  for (const [name, page] of pages) {
    const forms = [...page.matchAll(/<form [^>]*method="post"[\s\S]*?<\/form>/g)].map(
      ([text]) => text,
    )
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

test('outside the sandbox there are no test cards and no band', () => {
  const page = paymentPage({ ...formView(), sandbox: false } as never)
  assert.doesNotMatch(page, /4242|class="band"|test-cards/)
  assert.match(pages.get('form')!, /class="band"/)
})

test('every page is whole without anything inline, and asks for nothing from elsewhere', () => {
  for (const page of pages.values()) {
    assert.doesNotMatch(page, /<style|style="|<script>|\son\w+="|https?:|\/\//)
    assert.equal(page.match(/<script /g)?.length, 1)
    assert.match(page, /<meta name="robots" content="noindex">/)
    assert.equal(page.match(/<h1/g)?.length, 1)
  }
  assert.doesNotMatch(paymentPagePolicy, /unsafe|https?:|\*|data:/)
  assert.ok(Buffer.byteLength(paymentScript.text) < 30_000)
})

test('each error says what happened, that no money was taken, and what to do', () => {
  const said = (name: string) =>
    /role="alert"[\s\S]*?<b>([^<]*)<\/b> <span>([^<]*)</.exec(pages.get(name)!)?.slice(1).join(' ')
  assert.equal(
    said('form-declined'),
    'The card was declined. No money was taken. Try another card.',
  )
  for (const name of [...pages.keys()].filter((key) => key.startsWith('form-'))) {
    if (name === 'form-malformed') continue
    assert.match(said(name)!, /^\w.*\. No money was taken/, name)
    assert.match(pages.get(name)!, /<title>Error: /)
  }
})

test('faults stand beside their fields, and the first one has the focus', () => {
  const page = pages.get('form-malformed')!
  const inputOf = (id: string) => new RegExp(`<input id="${id}"[^>]*>`).exec(page)![0]
  for (const id of ['number', 'expires', 'csc']) {
    assert.match(inputOf(id), /aria-invalid="true"/)
    assert.match(inputOf(id), new RegExp(`aria-describedby="[^"]*${id}-fault"`))
  }
  assert.equal(page.match(/autofocus/g)?.length, 1)
  assert.match(inputOf('number'), /autofocus/)
})

test('the receipt says who was paid, when in the zone of the account, and its number', () => {
  const page = pages.get('paid')!.replaceAll('\u202f', ' ')
  assert.match(page, /<dt>Paid to<\/dt>\s*<dd dir="auto">Acme Ltd</)
  assert.match(page, /November 15, 2026 at 5:42 AM EST/)
  assert.match(page, /019a9d5e-7b1c-7c3a-9d52-4f0e8a6b2c11/)
  assert.match(pages.get('already_paid')!, /Nobody was charged twice\./)
})

test('a refund is on the receipt, in full or in part, with its date', () => {
  const shown = (name: string) => pages.get(name)!.replaceAll('\u202f', ' ')
  const full = shown('refunded')
  assert.match(full, /<h2 id="state">Refunded<\/h2>/)
  assert.match(full, /has refunded your payment in full\./)
  assert.match(full, /<dt>Refunded<\/dt>\s*<dd dir="auto">\$75\.00</)
  assert.match(full, /<dt>Refunded on<\/dt>\s*<dd dir="auto">November 18, 2026 at 10:03 AM EST</)
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

test('until when it can be paid is said to the minute, as it is held', () => {
  for (const name of ['form', 'manual', 'expired']) {
    const page = pages.get(name)!.replaceAll('\u202f', ' ')
    assert.match(page, /December 14, 2026 at 6:00 PM EST/, name)
  }
})

test('an end says why, and speaks of money only where the page would know', () => {
  const said = (name: string) =>
    /<h2 id="state">[^<]*<\/h2>\s*<p>([^<]*)</.exec(pages.get(name)!)![1]!
  assert.match(said('failed'), /^The card was declined ten times\. No money was taken\./)
  assert.match(said('failed-otherwise'), /^It can no longer be paid\. No money was taken\./)
  for (const name of ['failed-transfer', 'expired-transfer']) {
    assert.doesNotMatch(said(name), /card|No money was taken/, name)
    assert.match(said(name), /If you have sent the money already, tell \u2068Acme Ltd/, name)
  }
  assert.match(said('unavailable-transfer'), /Do not send money now\./)
})

test('a page that waits asks again by itself, without a script too', () => {
  const refresh = '<noscript><meta http-equiv="refresh" content="3; url=/pay/example"></noscript>'
  for (const [name, page] of pages) assert.equal(page.includes(refresh), name === 'processing')
})

test('a name cannot turn the words around it', () => {
  const view = { ...formView(), account_name: 'Acme\u2069\u202e dtL' } as never
  const page = paymentPage(view)
  assert.doesNotMatch(page, /\u202e/)
  assert.match(page, /The payment goes to \u2068Acme dtL\u2069, who/)
})
