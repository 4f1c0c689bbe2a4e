// Every accepted color is readable in light and dark, and every rejected one comes with one that
// is accepted.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type AccentShade,
  accentOf,
  contrast,
  readAccentColor,
} from '../../../src/accounts/branding/accent-color.ts'
import { Refusal } from '../../../src/primitives/refusal.ts'

const anyColor = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`)

function acceptable(color: string): string {
  try {
    return readAccentColor(color)
  } catch (error) {
    assert.ok(error instanceof Refusal)
    const nearest = /The nearest such color is "(#[0-9a-f]{6})"\.$/.exec(error.message)?.[1]
    assert.ok(nearest, error.message)
    assert.notEqual(nearest, color)
    return readAccentColor(nearest)
  }
}

function assertReadable({ background, text, hover }: AccentShade, pages: string[]): void {
  assert.ok(contrast(background, text) >= 4.5, `${text} on ${background}`)
  assert.ok(contrast(hover, text) >= contrast(background, text), `hover ${hover}`)
  for (const page of pages) assert.ok(contrast(background, page) >= 3, `${background} on ${page}`)
}

test('every color, or the nearest one that is suggested, is readable in light and dark', () => {
  fc.assert(
    fc.property(anyColor, (color) => {
      const { light, dark } = accentOf(acceptable(color))
      assertReadable(light, ['#f5f7f5', '#ffffff'])
      assertReadable(dark, ['#0c1411', '#131d19'])
    }),
    { numRuns: 2_000 },
  )
})

test('contrast agrees with values of the WCAG', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21)
  assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48')
  assert.equal(contrast('#0000ff', '#ffffff').toFixed(2), '8.59')
})

test('the color itself is used in light, and a lighter shade of it in dark', () => {
  assert.equal(accentOf('#7a1f5c').light.background, '#7a1f5c')
  assert.equal(accentOf('#7a1f5c').light.text, '#ffffff')
  assert.notEqual(accentOf('#7a1f5c').dark.background, '#7a1f5c')
  // A bright color is readable on both.
  assert.equal(accentOf('#d6409f').dark.background, '#d6409f')
})

for (const [color, rule] of [
  ['#fff', /must be a color such as "#0b6b50"; got "#fff"/],
  ['red', /must be a color/],
  ['#12345g', /must be a color/],
  ['#ffffff', /contrast of 3:1 .* got "#ffffff"\. The nearest/],
  ['#ffe600', /The nearest such color is "#/],
] as const) {
  test(`the color ${color} is rejected`, () => {
    assert.throws(() => readAccentColor(color), { code: 'invalid_request', message: rule })
  })
}
