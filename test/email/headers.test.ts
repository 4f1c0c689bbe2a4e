import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { EmailKind } from '../../src/email/email.ts'
import { enableEmailDelivery } from '../../src/email/outbox.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import { headerOf, startSmtpServer } from '../support/smtp-server.ts'
import {
  emailStatusOf,
  factsWithText,
  queueOne,
  queueReceipt,
  queueWithText,
  sendRound,
  smtpTransportFor,
} from './outbox.ts'

const florin = await startFlorin()
const { db } = florin
const server = await startSmtpServer()
const transport = smtpTransportFor(server)
after(async () => {
  transport.disconnect()
  await server.stop()
})

beforeEach(async () => {
  await enableEmailDelivery(db)
  server.received.length = 0
})

// The API rejects these values, but emails must not depend on that.
const hostile = [
  'Acme\r\nBcc: victim@example.com',
  'Acme\nBcc: victim@example.com',
  'Acme\rBcc: victim@example.com',
  'Acme\r\n\r\n<script>alert(1)</script>',
  'Acme\u2028Bcc: victim@example.com',
  'Acme\u2029Bcc: victim@example.com',
  'Acme\u0085Bcc: victim@example.com',
  'Acme\u000bBcc: victim@example.com',
  'Acme\u202eretsnom\u202c',
  '=?utf-8?B?QmNjOiB2aWN0aW1AZXhhbXBsZS5jb20=?=',
  '"Acme" <victim@example.com>, other@example.com',
  'Ａｃｍｅ ＜victim@example.com＞',
  '\ud800 alone',
  '💸'.repeat(200),
  'Ünïcödé 株式会社 شركة',
  '.\r\nMAIL FROM:<x@example.com>',
]

const heads = [
  'Auto-Submitted',
  'Content-Type',
  'Date',
  'From',
  'Message-ID',
  'MIME-Version',
  'Subject',
  'To',
]

const kinds = Object.keys(factsWithText('')) as EmailKind[]

/** Headers with their folds removed. */
function unfold(head: string): string[] {
  return head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
}

test('the name of an account cannot inject a header or an address into Reply-To', async () => {
  const owner = await florin.people.owner()
  const account_id = findUuid('account', owner.account_id)!
  const headers = { token: owner.token, body: { support_email: 'help@acme.example' } }
  assert.equal((await florin.call('PATCH', '/v1/account/branding', headers)).status, 200)
  for (const [at, text] of hostile.entries()) {
    const to = `reply-${at}@example.com`
    await queueOne(db, { kind: 'payment_receipt', to, account_id, text: text.toWellFormed() })
    await sendRound(db, transport)
    const message = server.received[at]!
    const lines = unfold(message.head)
    const names = lines.map((line) => line.split(':')[0]!)
    assert.deepEqual(names.toSorted(), [...heads, 'Reply-To'].toSorted(), JSON.stringify(text))
    const reply_to = lines.find((line) => line.startsWith('Reply-To:'))!
    assert.match(reply_to, /<help@acme\.example>$/)
    // Nothing after the name but one address: other characters are quoted or encoded.
    const name = reply_to.slice('Reply-To: '.length, -' <help@acme.example>'.length)
    assert.match(name, /^("([^"\\]|\\.)*"|[\w =?./+-]*)$/, JSON.stringify(text))
    assert.match(message.head.replaceAll('\r\n', ''), /^[\x20-\x7e\t]*$/)
  }
})

test('replies go to the account, and emails to the account have no Reply-To', async () => {
  const owner = await florin.people.owner()
  const account_id = findUuid('account', owner.account_id)!
  await queueOne(db, { kind: 'payment_request', to: 'c1@example.com', account_id, text: 'Acme' })
  await sendRound(db, transport)
  await queueOne(db, { kind: 'dispute_opened', to: 'c2@example.com', account_id, text: 'Acme' })
  await sendRound(db, transport)
  const [request, dispute] = server.received
  assert.equal(headerOf(request!, 'Reply-To'), `Acme <${owner.email}>`)
  assert.equal(headerOf(dispute!, 'Reply-To'), undefined)
})

for (const kind of kinds) {
  test(`text in ${kind} cannot inject a header`, async () => {
    for (const [at, text] of hostile.entries()) {
      const to = await queueWithText(db, kind, text.toWellFormed())
      await sendRound(db, transport)
      assert.equal(server.received.length, at + 1, `not sent: ${JSON.stringify(text)}`)
      const message = server.received[at]!
      const names = unfold(message.head).map((line) => line.split(':')[0]!)
      assert.deepEqual(names.toSorted(), heads.toSorted(), JSON.stringify(text))
      assert.deepEqual(message.to, [to])
      assert.equal(headerOf(message, 'To'), to)
      // Headers contain only printable ASCII. Everything else is encoded.
      assert.match(message.head.replaceAll('\r\n', ''), /^[\x20-\x7e\t]*$/)
    }
  })
}

test('fails an invalid recipient address without contacting the server', async () => {
  const addresses = [
    'ann@example.com\r\nRCPT TO:<victim@example.com>',
    'ann@example.com, victim@example.com',
    'Ann <ann@example.com>',
    'ann@example.com> SIZE=1',
    'ánn@example.com',
    '',
  ]
  for (const to of addresses) {
    const cause = await queueReceipt(db, { to })
    await sendRound(db, transport)
    assert.equal((await emailStatusOf(db, cause)).state, 'failed', JSON.stringify(to))
  }
  assert.equal(server.received.length, 0)
})
