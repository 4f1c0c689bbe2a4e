import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accentOf } from '../../src/accounts/branding/accent-color.ts'
import { oneLine } from '../../src/email/draft-email.ts'
import { customer_kinds, type EmailFacts, type EmailKind } from '../../src/email/email.ts'
import { renderEmail } from '../../src/email/render-email.ts'

const payment = {
  account_name: 'Café <b>Müller</b> & Co',
  amount: 750_000,
  currency: 'EUR',
  reference: 'Rechnung "114" <script>alert(1)</script>',
  url: 'https://pay.example.com/pay/x?a=1&b=2',
}

const dispute = {
  account_name: payment.account_name,
  amount: 750_000,
  currency: 'EUR',
  dispute_id: 'dsp_01h455vb4pex5vsknk084sn02q',
  transaction_id: 'txn_01h455vb4pex5vsknk084sn02q',
}

const user = {
  account_name: payment.account_name,
  email: 'ann@example.com',
  url: 'https://pay.example.com/reset/x',
}

const { url: _, ...notified } = payment
const notice = { ...notified, customer_email: 'c@example.com' }

const facts: EmailFacts = {
  payment_request: { ...payment, expires_at: '2026-12-15T22:30:00.000Z' },
  payment_reminder: { ...payment, expires_at: '2026-12-15T22:30:00.000Z' },
  payment_receipt: {
    ...payment,
    paid_at: '2026-11-15T22:30:00.000Z',
    transaction_id: 'txn_01h455vb4pex5vsknk084sn02q',
  },
  payment_refund: {
    ...payment,
    paid_amount: 1_000_000,
    refunded_at: '2026-11-15T22:30:00.000Z',
    transaction_id: 'txn_01h455vb4pex5vsknk084sn02q',
  },
  email_verification: {
    account_name: payment.account_name,
    url: 'https://pay.example.com/confirm-email/x',
    expires_at: '2026-11-16T22:30:00.000Z',
  },
  email_change_notice: {
    account_name: payment.account_name,
    new_email: 'new@example.com',
    confirmed: false,
  },
  sign_up_verification: { ...user, expires_at: '2026-11-16T22:30:00.000Z' },
  sign_up_attempt: user,
  password_reset: { ...user, expires_at: '2026-11-16T22:30:00.000Z' },
  password_changed: { ...user, changed_at: '2026-11-16T22:30:00.000Z' },
  invitation: { ...user, expires_at: '2026-11-16T22:30:00.000Z' },
  payment_received: { ...notice, count: 1 },
  payment_failed: { ...notice, count: 12 },
  new_login: {
    ...user,
    address: '203.0.113.7',
    client: 'Firefox <b>',
    logged_in_at: '2026-11-16T22:30:00.000Z',
  },
  weekly_summary: {
    account_name: payment.account_name,
    currency: 'EUR',
    from: '2026-11-08T23:00:00.000Z',
    to: '2026-11-15T22:59:59.999Z',
    payments: 1_234,
    volume: 750_000,
    refunds: 0,
    fees: 1_250,
    failed: 3,
    open: 7,
  },
  dispute_opened: { ...dispute, due_at: '2026-11-22T22:30:00.000Z' },
  dispute_closed: { ...dispute, outcome: 'lost' },
  webhook_disabled: {
    account_name: payment.account_name,
    endpoint_url: 'https://example.com/webhooks',
    endpoint_id: 'we_01h455vb4pex5vsknk084sn02q',
    reason: 'failing',
  },
  payout_destination_changed: {
    account_name: payment.account_name,
    holder: 'Jane Doe',
    iban: 'DE…3000',
    changed_at: '2026-11-15T22:30:00.000Z',
  },
}

const kinds = Object.keys(facts) as EmailKind[]
const languages = ['en', 'de', 'fr', 'es', 'pt', 'ja']

function write(kind: EmailKind, language: string, more: object = {}, takes_cards = true) {
  const email = { kind, language, timezone: 'Asia/Tokyo', facts: { ...facts[kind], ...more } }
  return renderEmail(email as Parameters<typeof renderEmail>[0], { sandbox: false, takes_cards })
}

test('emails about a login name the service as the sender, others the account', () => {
  const footOf = (kind: EmailKind) => write(kind, 'en').text.split('-- \n')[1]!.trim()
  const { account_name } = facts.new_login
  assert.equal(footOf('new_login'), `Sent by ${account_name}.`)
  assert.equal(footOf('password_reset'), footOf('new_login'))
  assert.match(footOf('payment_receipt'), /^Sent on behalf of /)
})

test('every kind of email is translated into every language', () => {
  for (const kind of kinds) {
    const subjects = languages.map((language) => write(kind, language).subject)
    assert.equal(new Set(subjects).size, languages.length, `${kind}: ${subjects}`)
    for (const language of languages) {
      const { text, html } = write(kind, language)
      assert.match(html, new RegExp(`<html lang="${language}">`))
      for (const part of [text, html]) assert.doesNotMatch(part, /undefined|null|NaN|\[object/)
      // Style rule: no exclamation marks and no "please".
      assert.doesNotMatch(text, /[!！]|\bplease\b|\bbitte\b|s’il vous plaît|por favor/i)
    }
  }
})

test('a dispute without a time limit has no such line, and both outcomes are translated', () => {
  assert.match(write('dispute_opened', 'de').text, /^Antwort bis: 23\. November 2026/m)
  assert.doesNotMatch(write('dispute_opened', 'de', { due_at: null }).text, /Antwort bis/)
  const outcomes = languages.flatMap((language) => [
    write('dispute_closed', language).subject,
    write('dispute_closed', language, { outcome: 'won' }).subject,
  ])
  assert.equal(new Set(outcomes).size, 2 * languages.length, outcomes.join())
})

test('without cards, the button is labeled "See how to pay" and shows no amount', () => {
  const buttons = languages.map((language) => {
    const [first, ...more] = (['payment_request', 'payment_reminder'] as const).map((kind) => {
      const { html } = write(kind, language, {}, false)
      return /display:block[^>]*>([^<]+)<\/a>/.exec(html)![1]!
    })
    assert.deepEqual(more, [first], language)
    assert.doesNotMatch(first!, /\d/, language)
    return first
  })
  assert.equal(new Set(buttons).size, languages.length, buttons.join())
})

test('requests by transfer do not mention charges in any language', () => {
  const charge = /charged (until|yet)|abgebucht|cobr(a|ado)|débité|引き落とし/
  for (const kind of ['payment_request', 'payment_reminder'] as const) {
    for (const language of languages) {
      assert.match(write(kind, language).text, charge, `${kind} ${language}`)
      const { text, html } = write(kind, language, {}, false)
      for (const part of [text, html]) assert.doesNotMatch(part, charge, `${kind} ${language}`)
    }
  }
  // A receipt is the same for cards and transfers.
  for (const language of languages) {
    const by_transfer = write('payment_receipt', language, {}, false)
    assert.deepEqual(by_transfer, write('payment_receipt', language))
  }
})

test('formats amounts and times for the language, in the account time zone', () => {
  const { text } = write('payment_request', 'de')
  assert.match(text, /7\.500,00\s€/)
  assert.match(text, /16\. Dezember 2026 um 07:30/)
  assert.match(write('payment_request', 'en').text, /€7,500\.00/)
  assert.match(write('payment_receipt', 'ja').text, /2026年11月16日/)
  assert.match(write('payment_receipt', 'en', { amount: 5, currency: 'KWD' }).text, /KWD\s0\.005/)
})

test('an unsupported language falls back to English, and a region to its language', () => {
  assert.equal(write('payment_receipt', 'it').subject, write('payment_receipt', 'en').subject)
  assert.match(write('payment_receipt', 'de-CH').subject, /^Beleg: /)
  assert.match(write('payment_receipt', 'pt-BR').subject, /^Recibo: /)
  assert.match(write('payment_receipt', 'toString').subject, /^Receipt: /)
})

// Same as the payment page: English text with a Buddhist year or Arabic digits would be confusing.
test('ignores calendar and digit extensions of a language tag', () => {
  for (const [tag, plain] of [
    ['en-u-ca-buddhist', 'en'],
    ['fr-u-nu-arab', 'fr'],
    ['de-CH-u-nu-arab', 'de-CH'],
  ] as const) {
    assert.deepEqual(write('payment_request', tag), write('payment_request', plain), tag)
  }
})

test('removes bidi controls from names and references', () => {
  for (const kind of kinds) {
    const reordered = { account_name: 'Acme \u202eltd\u2066', reference: '\u202b114\u2069' }
    const more = 'reference' in facts[kind] ? reordered : { account_name: reordered.account_name }
    const { subject, text, html } = write(kind, 'en', more)
    for (const part of [subject, text, html]) {
      assert.doesNotMatch(part, /[\u202a-\u202e\u2066-\u2069]/, kind)
      if (part !== subject) assert.match(part, /Acme ltd/)
    }
  }
})

test('escapes user input in the HTML and loads no remote content', () => {
  for (const kind of kinds) {
    const { html } = write(kind, 'en')
    assert.doesNotMatch(html, /<script|<b>|<img|src=|url\(|@import|<link/i)
    assert.match(html, /Café &lt;b&gt;Müller&lt;\/b&gt; &amp; Co/)
  }
  assert.match(
    write('payment_request', 'en').html,
    /href="https:\/\/pay\.example\.com\/pay\/x\?a=1&amp;b=2"/,
  )
})

test('an email to a customer shows the branding of the account, others do not', () => {
  const url = 'https://pay.example.com/brand/acct_1/0123'
  const brand = {
    logo: { url, width: 600, height: 100 },
    accent: accentOf('#7a1f5c'),
    support_email: 'help@acme.example',
    support_phone: '+1 555 010 0199',
    website: 'https://acme.example/',
  }
  const options = { sandbox: false, takes_cards: true }
  for (const kind of kinds) {
    const email = { kind, language: 'en', timezone: 'UTC', facts: facts[kind] }
    const { html, text } = renderEmail(email as Parameters<typeof renderEmail>[0], options, brand)
    const is_branded = customer_kinds.has(kind)
    assert.equal(html.includes(`<img src="${url}" alt="Café &lt;b&gt;`), is_branded, kind)
    assert.equal(html.includes('width="180" height="30"'), is_branded, kind)
    assert.equal(html.includes('background:#7a1f5c'), is_branded, kind)
    for (const part of [html, text]) {
      const contact = 'help@acme.example · +1 555 010 0199 · acme.example'
      assert.equal(part.includes(contact), is_branded, kind)
    }
  }
})

test('an email change notice states whether the change is confirmed', () => {
  const requested = write('email_change_notice', 'en')
  const confirmed = write('email_change_notice', 'en', { confirmed: true })
  assert.match(requested.text, /will change once the new address is confirmed/)
  assert.match(confirmed.text, /The new address was confirmed/)
  for (const { text } of [requested, confirmed]) assert.match(text, /New email: new@example\.com/)
})

test('sandbox emails are marked in the subject and in a banner', () => {
  const email = { kind: 'email_change_notice', language: 'de', timezone: 'UTC' } as const
  const options = { sandbox: true, takes_cards: true }
  const rendered = renderEmail({ ...email, facts: facts.email_change_notice }, options)
  assert.match(rendered.subject, /^\[Sandbox\] /)
  assert.match(rendered.text, /^Sandbox: Es fließt kein echtes Geld\n/)
})

test('oneLine returns one line of at most 120 characters', () => {
  assert.equal(oneLine('a\r\nb\u2028c\u202ed'), 'a b cd')
  assert.equal([...oneLine('💸'.repeat(300))].length, 120)
})

test('adds the currency code if the currency symbol is ambiguous', () => {
  const cases = [
    ['en-CA', 'CAD', '$75.00 CAD'],
    ['en', 'USD', '$75.00 USD'],
    ['en', 'CAD', 'CA$75.00'],
    ['de', 'EUR', '75,00 €'],
    ['es-MX', 'MXN', '$75.00 MXN'],
  ] as const
  for (const [language, currency, exact] of cases) {
    for (const kind of ['payment_request', 'payment_reminder', 'payment_receipt'] as const) {
      const { text, html } = write(kind, language, { amount: 7_500, currency })
      for (const part of [text, html]) {
        const plain = part.replaceAll(/[\u00a0\u202f]|&nbsp;/g, ' ')
        assert.ok(plain.includes(exact), `${exact} in ${language}`)
        assert.ok(!plain.includes(`${exact} ${currency}`), plain)
      }
    }
  }
})

test('a long name does not truncate the amount in the subject', () => {
  const more = { account_name: 'Nordrhein '.repeat(19).trim(), amount: 123_456_789 }
  for (const kind of ['payment_request', 'payment_reminder', 'payment_receipt'] as const) {
    for (const language of languages) {
      const { subject } = write(kind, language, { ...more, currency: 'USD' })
      assert.match(subject, /1[.,\s]?234[.,\s]567[.,]89/, `${kind} ${language}: ${subject}`)
      assert.match(subject, /Nordrhein…/)
    }
  }
})

test('a refund email distinguishes full and partial refunds', () => {
  const partial = write('payment_refund', 'en')
  assert.match(partial.subject, /^Refund: €7,500\.00 from Café/)
  assert.match(partial.text, /Part of your payment of €10,000\.00 has been refunded\./)
  assert.match(partial.text, /Original payment: €10,000\.00/)
  const full = write('payment_refund', 'en', { paid_amount: 750_000 })
  assert.match(full.text, /refunded in full/)
  assert.doesNotMatch(full.text, /Original payment/)
  for (const language of languages) {
    const [one, other] = [750_000, 1_000_000].map(
      (paid_amount) => write('payment_refund', language, { paid_amount }).text,
    )
    assert.notEqual(one, other)
    assert.match(one!, /txn_01h455vb4pex5vsknk084sn02q/)
  }
})
