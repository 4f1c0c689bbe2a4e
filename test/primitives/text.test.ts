import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  codePointLength,
  decodePercent,
  escapeLike,
  foldForSearch,
  isBlank,
  isLanguage,
  isPlainText,
  nearestName,
} from '../../src/primitives/text.ts'

const anyText = fc.string({ unit: 'binary' })

test('plain text is well-formed and has no control characters', () => {
  for (const text of [
    '',
    'order 17',
    'Jürgen Straße',
    '日本語',
    '👩‍🚀',
    'e\u0301',
    '\u00a0',
    '\u2028',
  ]) {
    assert.ok(isPlainText(text), JSON.stringify(text))
  }
  const bad = [
    '\u0000',
    'a\tb',
    'a\nb',
    '\u001f',
    '\u007f',
    '\u0080',
    '\u009f',
    '\ud800',
    '\udc00a',
  ]
  for (const text of bad) assert.ok(!isPlainText(text), JSON.stringify(text))
})

test('a text without visible characters is blank', () => {
  const blank = ['', ' ', ' \t\n', '\u00a0', '\u3000', '\u200b\u200d', '\u2060', '\ufeff']
  for (const text of [...blank, '\u3164', '\u2800', '\u00ad', '\ufe0f', '\u202e', '\u{e0061}']) {
    assert.ok(isBlank(text), JSON.stringify(text))
  }
  for (const text of ['a', ' . ', '\u200bx', '日', '👍', '-', '0', '\u0301']) {
    assert.ok(!isBlank(text), JSON.stringify(text))
  }
})

test('length is counted in code points', () => {
  assert.equal(codePointLength(''), 0)
  assert.equal(codePointLength('abc'), 3)
  assert.equal(codePointLength('👍👍'), 2)
  assert.equal(codePointLength('\ud800\ud800'), 2)
  fc.assert(fc.property(anyText, (text) => assert.equal(codePointLength(text), [...text].length)))
  const units = fc.array(fc.constantFrom('a', '\ud83d', '\udc4d')).map((parts) => parts.join(''))
  fc.assert(fc.property(units, (text) => assert.equal(codePointLength(text), [...text].length)))
})

test('escapeLike escapes all wildcards', () => {
  assert.equal(escapeLike('100%_\\'), '100\\%\\_\\\\')
  assert.equal(escapeLike('plain'), 'plain')
  fc.assert(
    fc.property(anyText, (text) => {
      assert.equal(escapeLike(text).replace(/\\([\\%_])/g, '$1'), text)
    }),
  )
})

test('folding makes upper and lower case equal', () => {
  const same = [
    ['ADA', 'ada'],
    ['STRASSE', 'Straße', 'STRAẞE'],
    ['ΟΔΟΣ', 'οδος', 'οδοσ'],
    ['İstanbul', 'istanbul', 'ISTANBUL', 'i\u0307stanbul'],
    ['ÉCLAIR', 'éclair', 'e\u0301clair', 'E\u0301CLAIR'],
    ['ﬁnch', 'FINCH'],
    ['\u212a', 'k', 'K'],
    ['ДОМ', 'дом'],
  ]
  for (const texts of same) {
    assert.equal(new Set(texts.map(foldForSearch)).size, 1, texts.join(' '))
  }
  assert.notEqual(foldForSearch('é'), foldForSearch('e'))
})

test('a folded substring is found in the folded text', () => {
  const pairs = [
    ['ΟΔΟΣΑ', 'ΟΔΟΣ'],
    ['Weißenburg', 'WEISS'],
    ['İstanbul', 'İ'],
    ['ada@example.com', 'Example'],
  ] as const
  for (const [whole, part] of pairs) {
    assert.ok(foldForSearch(whole).includes(foldForSearch(part)), `${part} in ${whole}`)
  }
})

test('folding is idempotent for every character', () => {
  for (let point = 0; point < 0x20000; point++) {
    const once = foldForSearch(String.fromCodePoint(point))
    if (foldForSearch(once) !== once) assert.fail(`U+${point.toString(16)}`)
  }
})

test('folding is idempotent for combinations of special cases', () => {
  const parts = [...'aiIİıſßẞςσΣ\u0345ΐᾳŉǰﬃJj', '\u0300', '\u0301', '\u0307', '\u0308', '\u0323']
  const mixture = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((all) => all.join(''))
  const twice = (text: string) => {
    assert.equal(foldForSearch(foldForSearch(text)), foldForSearch(text))
  }
  fc.assert(fc.property(mixture, twice), { numRuns: 5_000 })
  fc.assert(fc.property(anyText, twice), { numRuns: 2000 })
})

const fields = ['amount', 'currency', 'type', 'reference', 'metadata', 'account_id']
const settings = [
  'FLORIN_MODE',
  'FLORIN_DATA',
  'FLORIN_PUBLIC_URL',
  'FLORIN_SMTP_URL',
  'FLORIN_LOG',
]

test('suggests a field for a typo', () => {
  const slips = {
    amuont: 'amount',
    amoun: 'amount',
    amountt: 'amount',
    ammount: 'amount',
    currancy: 'currency',
    Currency: 'currency',
    tpye: 'type',
    accountId: 'account_id',
    refrence: 'reference',
    meta_data: 'metadata',
  }
  for (const [slip, field] of Object.entries(slips)) assert.equal(nearestName(slip, fields), field)
})

test('suggests a setting for an unknown name', () => {
  assert.equal(nearestName('FLORIN_MOD', settings), 'FLORIN_MODE')
  assert.equal(nearestName('FLORIN_DATABASE', settings), 'FLORIN_DATA')
  assert.equal(nearestName('FLORIN_LOG_LEVEL', settings), 'FLORIN_LOG')
  assert.equal(nearestName('FLORIN_SMPT_URL', settings), 'FLORIN_SMTP_URL')
})

test('counts two swapped characters as one edit', () => {
  assert.equal(nearestName('ab', ['bax', 'b']), undefined)
  assert.equal(nearestName('abc', ['bac']), 'bac')
})

test('returns a known name itself', () => {
  for (const field of fields) assert.equal(nearestName(field, fields), field)
})

test('returns the first of two equally near names', () => {
  assert.equal(nearestName('cat', ['bat', 'hat']), 'bat')
})

test('returns undefined if no name is near', () => {
  assert.equal(nearestName('shipping', fields), undefined)
  assert.equal(nearestName('x', fields), undefined)
  assert.equal(nearestName('', fields), undefined)
  assert.equal(nearestName('amount', []), undefined)
})

test('does not compare names of more than 64 characters', () => {
  assert.equal(nearestName('x'.repeat(1_000_000), fields), undefined)
  assert.equal(nearestName('x'.repeat(66), ['x'.repeat(64)]), undefined)
  assert.equal(nearestName('x'.repeat(64), ['x'.repeat(66)]), undefined)
  assert.equal(nearestName('x'.repeat(62), ['x'.repeat(64)]), 'x'.repeat(64))
})

function byPlatform(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

test('agrees with decodeURIComponent', () => {
  const bytes = fc.integer({ min: 0, max: 255 }).map((byte) => byte.toString(16).padStart(2, '0'))
  const escapes = fc.tuple(bytes, fc.boolean()).map(([hex, upper]) => {
    return `%${upper ? hex.toUpperCase() : hex}`
  })
  const whole = fc.string({ unit: 'binary', maxLength: 3 }).map((text) => {
    return text.isWellFormed() ? encodeURIComponent(text) : text
  })
  const pieces = fc.oneof(escapes, escapes, whole, fc.constantFrom('%', '%4', 'a', 'é', '\ud800'))
  const texts = fc.array(pieces, { maxLength: 8 }).map((all) => all.join(''))
  fc.assert(
    fc.property(texts, (text) => assert.equal(decodePercent(text), byPlatform(text), text)),
    { numRuns: 50_000 },
  )
})

test('agrees with decodeURIComponent for all two-byte and boundary sequences', () => {
  const hex = (byte: number) => `%${byte.toString(16).padStart(2, '0')}`
  for (let first = 0; first < 256; first++) {
    for (let second = 0; second < 256; second++) {
      for (const rest of ['', '%80%bf']) {
        const text = hex(first) + hex(second) + rest
        assert.equal(decodePercent(text), byPlatform(text), text)
      }
    }
  }
})

test('checks a long text with an error at its end in linear time', () => {
  for (const part of ['a', '%41', '%c3%a9', '%f0%9f%92%b6', 'é']) {
    const long = part.repeat(100_000)
    assert.equal(decodePercent(`${long}%`), undefined)
    assert.equal(decodePercent(long), decodeURIComponent(long))
  }
})

test('accepts tags with an existing language', () => {
  const good = [
    'en',
    'EN',
    'de-CH',
    'pt-BR',
    'pt-br',
    'zh-Hant-TW',
    'zh-Hant',
    'ja',
    'fil',
    'gsw',
    'yue-HK',
    'sr-Latn-RS',
    'es-419',
    'en-001',
    'de-DE-1996',
    'de-u-co-phonebk',
    'en-x-internal',
    'tlh',
    'iw',
    'sh',
    'eng',
  ]
  for (const tag of good) assert.ok(isLanguage(tag), tag)
})

test('rejects other tags', () => {
  const bad = [
    '',
    'e',
    'xx',
    'zz',
    'qqq',
    'qaa',
    'und',
    'und-US',
    'zxx',
    'mul',
    'mis',
    'root',
    'english',
    'English',
    'en_US',
    'en-',
    '-en',
    'en--US',
    'en-ZZZ',
    'en-ZZ',
    'en-QQ',
    'en-XA',
    'en-999',
    'en-Abcd',
    'en-Zzzz',
    'x-private',
    'i-klingon',
    'en US',
    ' en',
    'en\n',
    'en\u0000',
    'dé',
    '*',
    'C',
    'POSIX',
    `en-x-${'a'.repeat(8)}-${'b'.repeat(8)}-${'c'.repeat(8)}-${'d'.repeat(8)}`,
  ]
  for (const tag of bad) assert.ok(!isLanguage(tag), tag)
})

test('accepts every two-character language that Intl has a name for', () => {
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
  const alphabet = [...'abcdefghijklmnopqrstuvwxyz']
  const codes = alphabet.flatMap((one) => alphabet.map((other) => one + other))
  const accepted = codes.filter(isLanguage)
  assert.deepEqual(
    accepted,
    codes.filter((code) => names.of(code) !== undefined),
  )
  // 183 of ISO 639-1, and the retired bh, in, iw, ji, jw, mo, sh, which Intl maps to current codes.
  assert.equal(accepted.length, 190)
})
