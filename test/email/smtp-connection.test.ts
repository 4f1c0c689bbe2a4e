import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import tls from 'node:tls'
import { readConfig } from '../../src/config.ts'
import { enableEmailDelivery } from '../../src/email/outbox.ts'
import { parseMailbox } from '../../src/primitives/email-address.ts'
import { parseMailServer } from '../../src/server-urls.ts'
import { startFlorin } from '../support/florin.ts'
import { certificate, key } from '../support/localhost-certificate.ts'
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.ts'
import { emailStatusOf, queueReceipt, sendRound, smtpTransportFor } from './outbox.ts'

const florin = await startFlorin()
const { db } = florin
let server: TestSmtpServer | undefined

beforeEach(() => enableEmailDelivery(db))
afterEach(async () => {
  await server?.stop()
  await db.pool.query('delete from emails')
})

async function sendTo(url: string): Promise<Awaited<ReturnType<typeof emailStatusOf>>> {
  const cause = await queueReceipt(db)
  const transport = smtpTransportFor({ url })
  await sendRound(db, transport)
  transport.disconnect()
  return emailStatusOf(db, cause)
}

test('logs in with the decoded credentials from the URL', async () => {
  server = await startSmtpServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      if (username === 'ann@x' && password === 'a:b/c') done(null, { user: username })
      else done(new Error('Invalid username or password'))
    },
  })
  const good = await sendTo(`smtp://ann%40x:a%3Ab%2Fc@127.0.0.1:${server.port}`)
  assert.equal(good.state, 'sent')
  assert.equal(server.received[0]!.user, 'ann@x')

  // A configuration error does not fail the email.
  const bad = await sendTo(`smtp://ann%40x:wrong@127.0.0.1:${server.port}`)
  assert.equal(bad.state, 'queued')
  assert.match(bad.error!, /Invalid username or password/)
})

test('uses TLS with STARTTLS and with smtps', async () => {
  const usual = tls.getCACertificates()
  tls.setDefaultCACertificates([...usual, certificate])
  try {
    server = await startSmtpServer({ disabledCommands: [], cert: certificate, key })
    assert.equal((await sendTo(server.url)).state, 'sent')
    assert.equal(server.received[0]!.secure, true)
    await server.stop()

    server = await startSmtpServer({ secure: true, cert: certificate, key })
    assert.equal((await sendTo(server.url.replace('smtp:', 'smtps:'))).state, 'sent')
    assert.equal(server.received[0]!.secure, true)
  } finally {
    tls.setDefaultCACertificates(usual)
  }
})

test('rejects an untrusted certificate with STARTTLS and with smtps', async () => {
  server = await startSmtpServer({ disabledCommands: [], cert: certificate, key })
  const upgraded = await sendTo(server.url)
  assert.equal(upgraded.state, 'queued')
  assert.match(upgraded.error!, /certificate/)
  await server.stop()

  server = await startSmtpServer({ secure: true, cert: certificate, key })
  const wrapped = await sendTo(server.url.replace('smtp:', 'smtps:'))
  assert.equal(wrapped.state, 'queued')
  assert.match(wrapped.error!, /certificate/)
  assert.equal(server.received.length, 0)
})

test('parses the server URL and the sender strictly', () => {
  assert.deepEqual(parseMailServer('smtp://mail.example.com'), {
    host: 'mail.example.com',
    port: 587,
    secure: false,
    login: undefined,
  })
  assert.deepEqual(parseMailServer('smtps://u%40x:p%20w@[::1]:4650/'), {
    host: '::1',
    port: 4650,
    secure: true,
    login: { user: 'u@x', password: 'p w' },
  })
  for (const text of [
    'mail.example.com:25',
    'http://mail.example.com',
    'smtp://',
    'smtp://mail.example.com/path',
    'smtp://mail.example.com?tls=off',
    'smtp://u:%ff@mail.example.com',
    'smtp://mail.example.com:99999',
  ]) {
    assert.equal(parseMailServer(text), undefined, text)
  }
  const address = 'pay@example.com'
  assert.deepEqual(parseMailbox(address), { name: '', address })
  assert.deepEqual(parseMailbox(' Acme, Inc. <pay@example.com> '), { name: 'Acme, Inc.', address })
  assert.deepEqual(parseMailbox('"Acme" <pay@example.com>'), { name: 'Acme', address })
  for (const text of ['Acme', 'Acme pay@example.com', 'A\nB <pay@example.com>', '<a@b>, <c@d>']) {
    assert.equal(parseMailbox(text), undefined, text)
  }
})

test('reports invalid mail settings at startup without the password', () => {
  const faultsOf = (env: Record<string, string>) => {
    try {
      readConfig(env)
      return []
    } catch (error) {
      return (error as { faults: string[] }).faults
    }
  }
  const FLORIN_SMTP_URL = 'smtp://u:hidden@mail.example.com'
  assert.deepEqual(faultsOf({ FLORIN_SMTP_URL, FLORIN_EMAIL_FROM: 'a@example.com' }), [])
  assert.match(faultsOf({ FLORIN_SMTP_URL })[0]!, /^FLORIN_EMAIL_FROM must be set if FLORIN_SMTP/)
  const both = faultsOf({ FLORIN_SMTP_URL: 'imap://u:hidden@x', FLORIN_EMAIL_FROM: 'Acme' })
  assert.match(both[0]!, /^FLORIN_SMTP_URL must look like smtp:\/\/user:password@mail/)
  assert.match(both[1]!, /^FLORIN_EMAIL_FROM must be a sender such as Acme Payments <pay@/)
  assert.doesNotMatch(both.join(), /hidden/)
})
