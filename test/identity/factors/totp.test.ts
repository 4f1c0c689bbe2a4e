import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  codeOf,
  findStep,
  newTotpSecret,
  otpauthUri,
  stepAt,
  toBase32,
} from '../../../src/identity/factors/totp.ts'

// RFC 6238, appendix B: the codes of SHA-1, without their first two digits.
const vectors: [seconds: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
]

test('codes match the test vectors of RFC 6238', () => {
  const secret = Buffer.from('12345678901234567890')
  for (const [seconds, code] of vectors) {
    assert.equal(codeOf(secret, stepAt(new Date(seconds * 1_000))), code)
  }
})

test('base32 matches the test vectors of RFC 4648, without padding', () => {
  const vectors = {
    '': '',
    f: 'MY',
    fo: 'MZXQ',
    foo: 'MZXW6',
    fooba: 'MZXW6YTB',
    foobar: 'MZXW6YTBOI',
  }
  for (const [text, encoded] of Object.entries(vectors)) {
    assert.equal(toBase32(Buffer.from(text)), encoded)
  }
})

test('a code counts one step early and one late, and only once', () => {
  const secret = newTotpSecret()
  const at = new Date(1_800_000_000_000)
  const now = stepAt(at)
  for (const by of [-2, -1, 0, 1, 2]) {
    const expected = Math.abs(by) <= 1 ? now + by : undefined
    assert.equal(findStep(secret, codeOf(secret, now + by), at, null), expected, `${by}`)
  }
  assert.equal(findStep(secret, codeOf(secret, now), at, now - 1), now)
  assert.equal(findStep(secret, codeOf(secret, now), at, now), undefined)
  assert.equal(findStep(secret, codeOf(secret, now - 1), at, now), undefined)
  const code = codeOf(secret, now)
  assert.equal(findStep(secret, `${code.slice(0, 3)} ${code.slice(3)}`, at, null), now)
  for (const wrong of ['', code.slice(1), `${code}0`, `0${code}`]) {
    assert.equal(findStep(secret, wrong, at, null), undefined, wrong)
  }
})

test('the URI of the QR code has the parameters of the key URI format', () => {
  const uri = new URL(otpauthUri(Buffer.from('foobar'), 'ann+b@example.com', 'Florin pay.example'))
  assert.equal(uri.protocol, 'otpauth:')
  assert.equal(uri.host, 'totp')
  assert.equal(decodeURIComponent(uri.pathname), '/Florin pay.example:ann+b@example.com')
  assert.deepEqual(Object.fromEntries(uri.searchParams), {
    secret: 'MZXW6YTBOI',
    issuer: 'Florin pay.example',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})
