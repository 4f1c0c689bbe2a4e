import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  codePointLength,
  escapeLike,
  foldForSearch,
  isBlank,
  isPlainText,
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
  fc.assert(fc.property(mixture, twice), { numRuns: 20_000 })
  fc.assert(fc.property(anyText, twice), { numRuns: 2000 })
})
