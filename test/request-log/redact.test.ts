import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redactBody, redactPath, redactResponse, redactText } from '../../src/request-log/redact.ts'

const token = `fat_${'example'.repeat(6)}0`

test('redacts fields with a secret name, at any depth', () => {
  const body = {
    email: 'ann@example.com',
    password: 'a',
    Authorization: 'b',
    settings: { api_key: 'c', currency: 'EUR', list: [{ refresh_token: 'd', n: 1 }] },
    card: { number: '1' },
    secret: { deep: 'e' },
    note: null,
  }
  assert.deepEqual(JSON.parse(redactBody(body)!), {
    email: 'ann@example.com',
    password: '[redacted]',
    Authorization: '[redacted]',
    settings: {
      api_key: '[redacted]',
      currency: 'EUR',
      list: [{ refresh_token: '[redacted]', n: 1 }],
    },
    card: '[redacted]',
    secret: '[redacted]',
    note: null,
  })
})

test('redacts texts that look like a secret anywhere, also in names', () => {
  for (const secret of [
    token,
    `sk_sandbox_${'example'.repeat(6)}0`,
    `whsec_${'ZXhhbXBsZQ'.repeat(3)}+/a=`,
    `sk_test_${'a1B2'.repeat(6)}`,
    `rk_live_${'a1B2'.repeat(6)}`,
    '4242 4242 4242 4242',
    '4242-4242-4242-4242',
    '5105105105105100',
  ]) {
    const logged = redactBody({ [secret]: 1, note: `it is ${secret}, keep it`, list: [secret] })!
    assert.ok(!logged.includes(secret), logged)
    assert.match(logged, /keep it/)
  }
  assert.equal(redactBody({ note: 4242424242424242 }), '{"note":"[redacted]"}')
  const link = `https://pay.example.com/pay/${'example'.repeat(6)}0`
  assert.equal(redactText(`open ${link}`), 'open https://pay.example.com/pay/[redacted]')
})

test('does not redact ids, times and amounts', () => {
  const body = {
    id: 'txn_01h455vb4pex5vsknk084sn02q',
    amount: 999_999_999_999,
    created_at: '2026-11-15T09:30:00.000Z',
    reference: 'Invoice 2026-114',
  }
  assert.deepEqual(JSON.parse(redactBody(body)!), body)
})

test('truncates a body at 4 KiB between characters, with an ellipsis', () => {
  const logged = redactBody({ text: '€'.repeat(3_000) })!
  assert.ok(Buffer.byteLength(logged) <= 4_096)
  assert.match(logged, /€…$/)
  assert.doesNotMatch(logged, /\ufffd/)
})

test('returns null for a response that is not JSON, and for a missing body', () => {
  assert.equal(redactResponse('sequence,amount\r\n1,5\r\n'), null)
  assert.equal(redactResponse(undefined), null)
  assert.equal(redactBody(undefined), null)
})

test('redacts secrets in path and query, also if they are percent-encoded', () => {
  const plain = '/v1/users?search=ann%40example.com&limit=5&flag'
  assert.equal(redactPath(plain), plain)
  assert.equal(redactPath(`/v1/users/${token}`), '/v1/users/[redacted]')
  const queried = redactPath(`/v1/users?token=x&search=${token}`)
  assert.equal(queried, '/v1/users?token=[redacted]&search=[redacted]')
  const escaped = token.replace('_', '%5F').replace('example', '%65xample')
  assert.equal(redactPath(`/v1/users/${escaped}?q=${escaped}`), '/v1/users/[redacted]?q=[redacted]')
  assert.equal(redactPath('/v1/users/%zz'), '/v1/users/%zz')
  assert.ok(redactPath(`/v1/users?q=${'a'.repeat(8_000)}`).length <= 1_000)
})

test('the result has no control characters and no lone surrogates', () => {
  const bad = /[\p{Cc}\p{Cs}]/u
  const spoiled = redactPath('/v1/transactions?x=%00fat_aaaaaaaaaa')
  assert.equal(spoiled, '/v1/transactions?x=%00[redacted]')
  const everywhere = '/v1/%0Afat_aaaaaaaaaa?%C2%85fat_aaaaaaaaaa&a%00=1%7Ffat_aaaaaaaaaa&raw=\u0085'
  assert.equal(
    redactPath(everywhere),
    '/v1/%0A[redacted]?%C2%85[redacted]&a%00=1%7F[redacted]&raw=%C2%85',
  )
  for (let length = 980; length < 1_000; length++) {
    const cut = redactPath(`/${'a'.repeat(length)}%00%F0%9F%92%A9fat_aaaaaaaaaa%F0%9F%92%A9`)
    assert.ok(cut.length <= 1_000)
    assert.doesNotMatch(cut, bad, cut)
  }
  const body = { 'a\u0000': '\u0000\n\u007f\u0085 \ud83d fat_aaaaaaaaaa', list: ['\udca9'] }
  const logged = redactBody(body)!
  assert.doesNotMatch(logged, bad)
  assert.deepEqual(JSON.parse(logged), {
    'a\u0000': '\u0000\n\u007f\u0085 \ud83d [redacted]',
    list: ['\udca9'],
  })
})
