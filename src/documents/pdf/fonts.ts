// The fonts of documents: Noto Sans in many files, each with some characters. fontkit opens a file
// when a text needs it.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { readWoff2 } from './read-woff2.ts'

/** The part of fontkit that is used here. It ships no types. */
export interface Font {
  unitsPerEm: number
  getVariation(axes: { wght: number }): Font
  hasGlyphForCodePoint(code_point: number): boolean
  layout(
    text: string,
    features?: undefined,
    script?: undefined,
    language?: undefined,
    direction?: 'ltr' | 'rtl',
  ): { glyphs: Glyph[]; positions: GlyphPosition[] }
}

export interface Glyph {
  id: number
  codePoints: number[]
  advanceWidth: number
  path: { commands: { command: string; args: number[] }[] }
}

interface GlyphPosition {
  xAdvance: number
  xOffset: number
  yOffset: number
}

const require = createRequire(import.meta.url)

const scope = '@fontsource-variable'

/** In order of preference. A text in Han characters uses the first of `han` that has most of it. */
const families = {
  latin_greek_cyrillic: 'noto-sans',
  arabic: 'noto-sans-arabic',
  hebrew: 'noto-sans-hebrew',
  thai: 'noto-sans-thai',
  armenian: 'noto-sans-armenian',
  georgian: 'noto-sans-georgian',
  ja: 'noto-sans-jp',
  zh: 'noto-sans-sc',
  zh_traditional: 'noto-sans-tc',
  ko: 'noto-sans-kr',
} as const

export type Family = keyof typeof families

export const family_names = Object.keys(families) as Family[]
export const han_families = ['ja', 'zh', 'zh_traditional', 'ko'] as const satisfies Family[]

/** The font of a family that has all these characters. */
export function findFont(name: Family, weight: number, code_points: number[]): Font | undefined {
  const sliceOf = slicesOf(name)
  const slices = new Set(code_points.flatMap((code_point) => sliceOf.get(code_point) ?? []))
  return [...slices]
    .map((slice) => openFont(name, weight, slice))
    .find((font) => code_points.every((code_point) => font.hasGlyphForCodePoint(code_point)))
}

/** Whether a family has a file for this character. Opens no font. */
export function listsCharacter(name: Family, code_point: number): boolean {
  return slicesOf(name).has(code_point)
}

/** The files that list a character. Only the file itself is certain to have it. */
type Slices = Map<number, string[]>

const slices = new Map<Family, Slices>()

function slicesOf(name: Family): Slices {
  const known = slices.get(name)
  if (known !== undefined) return known
  const found = readSlices(name)
  slices.set(name, found)
  return found
}

function readSlices(name: Family): Slices {
  const found: Slices = new Map()
  for (const [slice, ranges] of Object.entries(readRanges(name))) {
    for (const range of ranges.split(',')) {
      const [first, last = first] = range.trim().slice(2).split('-')
      for (let one = Number.parseInt(first!, 16); one <= Number.parseInt(last!, 16); one++) {
        const others = found.get(one)
        if (others === undefined) found.set(one, [slice])
        else others.push(slice)
      }
    }
  }
  return found
}

/** Such as { latin: 'U+0000-00FF,U+0131', '[119]': 'U+20,U+3001-3002' }. */
function readRanges(name: Family): Record<string, string> {
  return JSON.parse(
    readFileSync(require.resolve(`${scope}/${families[name]}/unicode.json`), 'utf8'),
  )
}

const fonts = new Map<string, Font>()

// A Japanese receipt needs about ten files, and an open file takes about a megabyte.
const fonts_max = 60

function openFont(name: Family, weight: number, slice: string): Font {
  const folder = families[name]
  const file = `${folder}-${slice.replace(/[[\]]/g, '')}-wght-normal.woff2`
  const key = `${file} ${weight}`
  const known = fonts.get(key)
  // The least recently used font is the first.
  if (known !== undefined) fonts.delete(key)
  else if (fonts.size >= fonts_max) fonts.delete(fonts.keys().next().value!)
  const font = known ?? readFont(require.resolve(`${scope}/${folder}/files/${file}`), weight)
  fonts.set(key, font)
  return font
}

function readFont(path: string, weight: number): Font {
  const fontkit: { create(bytes: Buffer): Font } = require('fontkit')
  return fontkit.create(readWoff2(readFileSync(path))).getVariation({ wght: weight })
}
