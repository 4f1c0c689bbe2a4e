import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeZoneNames } from '../../src/primitives/time-zone-names.ts'
import { isLanguage, isTimeZone } from '../../src/primitives/zones-and-languages.ts'

test('accepts UTC and locations, including old names', () => {
  const good = [
    'UTC',
    'Etc/UTC',
    'Europe/Berlin',
    'Europe/Kyiv',
    'Europe/Kiev',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'America/New_York',
    'America/Argentina/Buenos_Aires',
    'America/Buenos_Aires',
    'America/North_Dakota/New_Salem',
    'America/Port-au-Prince',
    'America/Coyhaique',
    'Africa/Dar_es_Salaam',
    'Antarctica/DumontDUrville',
    'Arctic/Longyearbyen',
    'Atlantic/Reykjavik',
    'Australia/Lord_Howe',
    'Indian/Maldives',
    'Pacific/Kanton',
  ]
  for (const name of good) assert.ok(isTimeZone(name), name)
})

test('rejects offsets, abbreviations, other spellings and unknown names', () => {
  const bad = [
    '',
    'utc',
    'Utc',
    'GMT',
    'GMT+1',
    'Z',
    'EST',
    'CET',
    'EST5EDT',
    '+02:00',
    '+02',
    'UTC+2',
    'Etc/GMT+5',
    'Etc/GMT',
    'US/Pacific',
    'Canada/Eastern',
    'europe/berlin',
    'EUROPE/BERLIN',
    'Europe/berlin',
    'Europe/Berlin ',
    ' Europe/Berlin',
    'Europe/',
    'Europe',
    '/Berlin',
    'Foo/Bar',
    'Mars/Olympus',
    'America/Argentina',
    'Europe/Berlin\u0000',
    '__proto__',
  ]
  for (const name of bad) assert.ok(!isTimeZone(name), name)
})

test('this Node supports every time zone in the table', () => {
  for (const name of timeZoneNames) {
    assert.match(name, /^[A-Z][a-z]+(\/[A-Za-z_-]+){1,2}$/)
    assert.doesNotThrow(() => new Intl.DateTimeFormat('en', { timeZone: name }), name)
  }
  assert.equal(timeZoneNames.size, 489)
})

test('every location that this Node lists is in the table', () => {
  const missing = Intl.supportedValuesOf('timeZone').filter((name) => !isTimeZone(name))
  assert.deepEqual(
    missing.filter((name) => !name.startsWith('Etc/')),
    [],
  )
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
