// Turns a line of text into positioned glyphs: in visual order, with ligatures and joined forms,
// each from a font that has it.

import { createRequire } from 'node:module'
import type { Bidi } from 'bidi-js'
import {
  type Family,
  type Font,
  family_names,
  findFont,
  type Glyph,
  han_families,
  listsCharacter,
} from './fonts.ts'

export interface PositionedGlyph {
  font: Font
  glyph: Glyph
  /** The characters that the glyph shows; empty for a part of a character. */
  text: string
  /** In thousandths of the font size, from the position of the glyph before it. */
  x_offset: number
  y_offset: number
  advance: number
}

export interface ShapedText {
  text: string
  glyphs: PositionedGlyph[]
  /** In thousandths of the font size. */
  width: number
  /** The text cannot be read from the glyphs, in their order or by their positions. */
  needs_text: boolean
}

// Its types do not match its module format.
const bidiFactory: () => Bidi = createRequire(import.meta.url)('bidi-js')
const bidi = bidiFactory()

/** `weight` is that of style sheets: 400 is regular. */
export function shapeText(text: string, language: string, weight: number): ShapedText {
  const find = fontFinder(preferredFamilies(text, language), weight)
  const runs = inVisualOrder(splitRuns(toCharactersOfFonts(text, find), find))
  const glyphs = runs.flatMap(layoutRun)
  const is_right_to_left = runs.some(({ level }) => level % 2 === 1)
  return {
    text,
    glyphs,
    width: glyphs.reduce((sum, { advance }) => sum + advance, 0),
    // Programs restore the order of text from right to left themselves.
    needs_text: !is_right_to_left && (hasMarks(glyphs) || textOf(glyphs) !== text),
  }
}

function textOf(glyphs: PositionedGlyph[]): string {
  return glyphs.map(({ text }) => text).join('')
}

/** Programs that sort by position cannot tell a mark from the character after it. */
function hasMarks(glyphs: PositionedGlyph[]): boolean {
  return glyphs.some(({ advance, text }) => advance === 0 && text !== '')
}

/** A part of a text with one font and one direction. */
interface Run {
  text: string
  font: Font
  /** Odd if it is written from right to left. */
  level: number
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * A character that no font has is shown by its code, such as [U+1F355]: a box or a question mark
 * would be the same for all of them.
 */
function toCharactersOfFonts(text: string, find: FindFont): string {
  return [...text.normalize('NFC')]
    .map((character) => {
      if (isIgnorable.test(character) && !isJoiner.test(character)) return ''
      if (find(character) !== undefined) return character
      if (isJoiner.test(character)) return ''
      // Such as the narrow space between the digits of French amounts.
      if (isSpace.test(character)) return '\u00a0'
      return `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`
    })
    .join('')
}

const isIgnorable = /\p{Default_Ignorable_Code_Point}|\p{Cc}/u
const isJoiner = /[\u200c\u200d]/
const isSpace = /\p{Zs}/u

function splitRuns(text: string, find: FindFont): Run[] {
  const { levels } = bidi.getEmbeddingLevels(text, 'auto')
  const runs: Run[] = []
  for (const { segment, index } of segmenter.segment(text)) {
    const level = levels[index] ?? 0
    const whole = find(segment)
    // Without a font that has a character and its marks, each is taken from a different one.
    const parts = whole === undefined ? [...segment] : [segment]
    for (const part of parts) {
      const font = whole ?? find(part)!
      const last = runs.at(-1)
      if (last?.font === font && last.level === level) last.text += part
      else runs.push({ text: part, font, level })
    }
  }
  return runs
}

/** Rule L2 of the Unicode bidirectional algorithm, for runs instead of characters. */
function inVisualOrder(runs: Run[]): Run[] {
  let ordered = runs
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level--) {
    ordered = reverseFrom(ordered, level)
  }
  return ordered
}

function reverseFrom(runs: Run[], level: number): Run[] {
  const ordered: Run[] = []
  let reversed: Run[] = []
  for (const run of runs) {
    if (run.level >= level) reversed.unshift(run)
    else {
      ordered.push(...reversed, run)
      reversed = []
    }
  }
  return [...ordered, ...reversed]
}

function layoutRun({ text, font, level }: Run): PositionedGlyph[] {
  const direction = level % 2 === 1 ? 'rtl' : 'ltr'
  const shown = direction === 'rtl' ? mirrored(text) : text
  const { glyphs, positions } = font.layout(shown, undefined, undefined, undefined, direction)
  const scale = 1000 / font.unitsPerEm
  const texts = textsOf(shown, direction === 'rtl' ? glyphs.toReversed() : glyphs)
  if (direction === 'rtl') texts.reverse()
  return glyphs.map((glyph, at) => {
    const { xAdvance, xOffset, yOffset } = positions[at]!
    return {
      font,
      glyph,
      text: texts[at]!,
      x_offset: xOffset * scale,
      y_offset: yOffset * scale,
      advance: xAdvance * scale,
    }
  })
}

/**
 * fontkit knows the characters of a glyph from its first use, but the same one can show others: in
 * Arabic, characters that differ by their dots. Only the number of characters is certain.
 */
function textsOf(text: string, glyphs: Glyph[]): string[] {
  const characters = [...text]
  let at = 0
  const texts = glyphs.map(({ codePoints }) => {
    const start = at
    at += codePoints.length
    return characters.slice(start, at).join('')
  })
  if (at === characters.length) return texts
  return glyphs.map(({ codePoints }) => String.fromCodePoint(...codePoints))
}

function mirrored(text: string): string {
  return [...text].map((one) => bidi.getMirroredCharacter(one) ?? one).join('')
}

type FindFont = (text: string) => Font | undefined

function fontFinder(preferred: Family[], weight: number): FindFont {
  return (text) => {
    const code_points = codePointsOf(text)
    for (const family of preferred) {
      const font = findFont(family, weight, code_points)
      if (font !== undefined) return font
    }
    return undefined
  }
}

/** The family with most Han characters of the text is first, so that they look alike. */
function preferredFamilies(text: string, language: string): Family[] {
  const characters = [...text].filter((one) => /\p{Script=Han}/u.test(one))
  const missing = (family: Family) =>
    characters.filter((one) => !listsCharacter(family, one.codePointAt(0)!)).length
  const of_language = han_families.filter((family) => family === language.slice(0, 2))
  const others = han_families.filter((family) => !of_language.includes(family))
  const counted = [...of_language, ...others].map((family) => ({
    family,
    missing: missing(family),
  }))
  const han = counted.sort((one, other) => one.missing - other.missing).map(({ family }) => family)
  const scripts = family_names.filter((family) => !(han as Family[]).includes(family))
  return [...scripts, ...han]
}

function codePointsOf(text: string): number[] {
  return [...text].map((character) => character.codePointAt(0)!)
}
