import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { correctionsOf } from '../../src/bank/correct-reference.ts'
import {
  creditorReference,
  findCreditorReferences,
  findMistypedReferences,
  isCreditorReference,
  referenceOfPayment,
  uuidDigitsOf,
} from '../../src/bank/creditor-reference.ts'
import { bicError, findBic, findIban, groupByFour, ibanError } from '../../src/bank/iban.ts'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'

test('accepts IBANs in any case and grouping', () => {
  for (const iban of [
    'DE89370400440532013000',
    'GB82WEST12345698765432',
    'NO9386011117947',
    'FR1420041010050500013M02606',
    'MT84MALT011000012345MTLCAST001S',
    'LC55HEMM000100010012001200023015',
  ]) {
    assert.equal(findIban(` ${groupByFour(iban).toLowerCase()}\u200b`), iban)
    assert.equal(ibanError('iban', iban), undefined)
  }
  assert.equal(groupByFour('DE89370400440532013000'), 'DE89 3704 0044 0532 0130 00')
})

test('states why an IBAN is not valid', () => {
  const cases: [string, RegExp][] = [
    ['', /^"iban" must be an IBAN: two letters, two check digits, .*; got ""\. Copy the IBAN/],
    ['DE89-3704', /must be an IBAN/],
    ['ZZ89370400440532013000', /must start with a country that has IBANs, not ZZ/],
    ['DE8937040044053201300', /must have 22 characters, because it starts with DE, not 21/],
    ['DE89370400440532013001', /has wrong check digits.*got "DE89370400440532013001"/],
    ['DE01370400440532013000', /has wrong check digits/],
  ]
  for (const [text, message] of cases) assert.match(ibanError('iban', text)!, message)
})

test('finds every single mistake and every swap of neighbors in an IBAN', () => {
  const iban = 'DE89370400440532013000'
  for (let at = 4; at < iban.length; at++) {
    for (const digit of '0123456789') {
      const mistyped = iban.slice(0, at) + digit + iban.slice(at + 1)
      assert.equal(findIban(mistyped) !== undefined, mistyped === iban)
    }
    const swapped = iban.slice(0, at) + (iban[at + 1] ?? '') + iban[at] + iban.slice(at + 2)
    assert.equal(findIban(swapped) !== undefined, swapped === iban)
  }
})

test('checks the form and the country of a BIC', () => {
  assert.equal(findBic(' cobadeff '), 'COBADEFF')
  assert.equal(findBic('COBADEFF060'), 'COBADEFF060')
  for (const text of ['', 'COBADEF', 'COBADEFF0', 'COBA1EFF', 'COBAQQFF', 'COBADEFF-XX']) {
    assert.equal(findBic(text), undefined, text)
    assert.match(bicError('bic', text)!, /^"bic" must be a BIC of 8 or 11 characters .*; got /)
  }
  assert.equal(bicError('bic', 'COBADEFF'), undefined)
})

test('a payment request has a reference of twelve characters from the end of its id', () => {
  for (let n = 0; n < 200; n++) {
    const id = newUuid(Date.now())
    const reference = referenceOfPayment(id)
    assert.match(reference, /^RF[0-9]{2}[0-9A-HJKMNP-TV-Z]{8}$/)
    assert.ok(isCreditorReference(reference))
    assert.equal(uuidDigitsOf(reference), id.slice(-10))
    assert.ok(toTypeId('payment', id).toUpperCase().endsWith(reference.slice(4)))
  }
  for (const foreign of ['RF18539007547034', creditorReference('K3M9TXP'), 'RF00K3M9TXPQ', '']) {
    assert.equal(uuidDigitsOf(foreign), undefined, foreign)
  }
  // The examples of ISO 11649 and of the Finnish banks.
  assert.equal(creditorReference('539007547034'), 'RF18539007547034')
  assert.ok(isCreditorReference('RF712348231'))
  assert.throws(() => creditorReference('ä'), RangeError)
})

test('recognizes a reference in the text of a payer', () => {
  const reference = creditorReference('W8H2QZBK')
  const grouped = groupByFour(reference)
  for (const text of [
    reference,
    grouped,
    grouped.toLowerCase(),
    `Invoice 7, ${grouped}, thank you`,
    `Rechnung7${reference}Danke`,
    grouped.replaceAll(' ', '-'),
    grouped.replaceAll(' ', ' / '),
    [...reference].join(' '),
    `REF. ${reference.slice(0, 6)}\n${reference.slice(6)}`,
    `PERF ${reference}`,
  ]) {
    assert.deepEqual(findCreditorReferences(text), [reference], text)
  }
  assert.deepEqual(findCreditorReferences('Invoice 7 RF'), [])
  const foreign = 'RF18 5390 0754 7034'
  assert.deepEqual(findCreditorReferences(`${foreign} and ${grouped}`), [
    'RF18539007547034',
    reference,
  ])
})

test('reads O, I and L as digits', () => {
  const body = ['B', 'C', 'D', 'F', 'G', 'H', 'J', 'K'].find((one) =>
    /[01]/.test(creditorReference(`${one}2220122`).slice(2, 4)),
  )!
  const reference = creditorReference(`${body}2220122`)
  const typed = reference.slice(2).replaceAll('0', 'o')
  assert.deepEqual(findCreditorReferences(`RF${typed.replaceAll('1', 'l')}`), [reference])
  assert.deepEqual(findCreditorReferences(`RF${typed.replaceAll('1', 'I')}`), [reference])
})

test('a mistyped reference is not a reference', () => {
  const reference = creditorReference('K3M9TXPQ')
  for (let at = 4; at < reference.length; at++) {
    const mistyped = `${reference.slice(0, at)}2${reference.slice(at + 1)}`
    assert.deepEqual(findCreditorReferences(mistyped), [])
    assert.deepEqual(findMistypedReferences(`pay ${mistyped}!`), [mistyped])
  }
})

test('a reference with one typing error has the meant one among few corrections', () => {
  const reference = creditorReference('W8H2QZBK')
  const typed = [
    reference.replace('H', 'X'),
    reference.replace('H2', '2H'),
    reference.replace('Z', ''),
    reference.replace('B', 'B7'),
    reference.slice(0, -1),
    `RF${reference.slice(3)}`,
  ]
  for (const text of typed) {
    const corrections = correctionsOf(text)
    assert.ok(corrections.includes(reference), text)
    assert.ok(corrections.length < 30 && corrections.every(isCreditorReference))
  }
})

test('finds a reference with any separators, between any words', () => {
  const separator = fc.string({ unit: fc.constantFrom(' ', '-', '.', '/', ':', '\n', '+', '_') })
  const words = fc.string({
    unit: fc.constantFrom('a', 'B', ' ', '7', ',', 'ü', 'r'),
    maxLength: 20,
  })
  const body = fc.string({
    unit: fc.constantFrom(...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'),
    minLength: 8,
    maxLength: 8,
  })
  fc.assert(
    fc.property(body, words, words, fc.array(separator), fc.boolean(), (...given) => {
      const [text, before, after, separators, is_lower] = given
      const reference = creditorReference(text)
      const typed = [...reference].map((one, at) => one + (separators[at] ?? '')).join('')
      const found = findCreditorReferences(
        before + (is_lower ? typed.toLowerCase() : typed) + after,
      )
      assert.ok(found.includes(reference))
    }),
    { numRuns: 500 },
  )
})
