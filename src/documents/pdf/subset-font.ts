// One TrueType font with exactly the glyphs of a document, whichever fonts they are from. A PDF
// viewer needs their outlines and widths only: the file has no tables for characters or names.

import type { Font, Glyph } from './fonts.ts'
import { type Contour, encodeGlyph, locaTable, words, writeSfnt } from './sfnt.ts'
import type { PositionedGlyph } from './shape-text.ts'

const units_per_em = 1000
export const ascent = 1069
export const descent = -293

interface SubsetGlyph {
  /** The text that a reader copies. */
  text: string
  width: number
  contours: Contour[]
}

export class FontSubset {
  readonly #ids = new Map<Font, Map<string, number>>()
  readonly #glyphs: SubsetGlyph[] = [missingGlyph()]

  /** The number of a glyph in this font. */
  add({ font, glyph, text }: PositionedGlyph): number {
    const of_font = this.#ids.get(font) ?? new Map<string, number>()
    this.#ids.set(font, of_font)
    const key = `${glyph.id} ${text}`
    const known = of_font.get(key)
    if (known !== undefined) return known
    const id = this.#glyphs.push(readGlyph(glyph, font, text)) - 1
    of_font.set(key, id)
    return id
  }

  get glyphs(): readonly Pick<SubsetGlyph, 'text' | 'width'>[] {
    return this.#glyphs
  }

  /** The advance that viewers use, in thousandths of the font size. */
  widthOf(id: number): number {
    return this.#glyphs[id]!.width
  }

  toBytes(): Buffer {
    const glyphs = this.#glyphs
    const outlines = glyphs.map(({ contours }) => encodeGlyph(contours))
    const metrics = glyphs.flatMap(({ width, contours }) => [width, leftOf(contours)])
    return writeSfnt(
      new Map([
        ['glyf', Buffer.concat(outlines)],
        ['head', headTable()],
        ['hhea', hheaTable(glyphs)],
        ['hmtx', words(metrics)],
        ['loca', locaTable(outlines)],
        ['maxp', maxpTable(glyphs)],
      ]),
    )
  }
}

function missingGlyph(): SubsetGlyph {
  const box: Contour = [
    { x: 100, y: 0, on: true },
    { x: 100, y: 700, on: true },
    { x: 500, y: 700, on: true },
    { x: 500, y: 0, on: true },
  ]
  return { text: '', width: 600, contours: [box] }
}

function readGlyph(glyph: Glyph, font: Font, text: string): SubsetGlyph {
  const scale = units_per_em / font.unitsPerEm
  const width = Math.round(glyph.advanceWidth * scale)
  return { text, width, contours: contoursOf(glyph, scale) }
}

function contoursOf(glyph: Glyph, scale: number): Contour[] {
  const contours: Contour[] = []
  for (const { command, args } of glyph.path.commands) {
    const [x = 0, y = 0, end_x, end_y] = args.map((value) => Math.round(value * scale))
    if (command === 'moveTo') contours.push([{ x, y, on: true }])
    else if (command === 'lineTo') contours.at(-1)!.push({ x, y, on: true })
    else if (command === 'quadraticCurveTo') {
      contours.at(-1)!.push({ x, y, on: false }, { x: end_x!, y: end_y!, on: true })
    } else if (command !== 'closePath') throw new Error(`${command} is not part of TrueType`)
  }
  return contours.map(withoutEnd).filter(({ length }) => length > 2)
}

/** A contour returns to its start without naming it again. */
function withoutEnd(contour: Contour): Contour {
  const [first, last] = [contour[0], contour.at(-1)]
  const repeats = contour.length > 1 && last!.on && last!.x === first!.x && last!.y === first!.y
  return repeats ? contour.slice(0, -1) : contour
}

function leftOf(contours: Contour[]): number {
  return contours.length === 0 ? 0 : Math.min(...contours.flat().map(({ x }) => x))
}

function headTable(): Buffer {
  const head = Buffer.alloc(54)
  head.writeUInt32BE(0x00010000, 0)
  head.writeUInt32BE(0x00010000, 4)
  head.writeUInt32BE(0x5f0f3cf5, 12)
  head.writeUInt16BE(units_per_em, 18)
  words([-1000, -1000, 3000, 2000]).copy(head, 36)
  head.writeUInt16BE(8, 46)
  head.writeInt16BE(2, 48)
  // `loca` has long offsets.
  head.writeInt16BE(1, 50)
  return head
}

function hheaTable(glyphs: SubsetGlyph[]): Buffer {
  const widest = Math.max(...glyphs.map(({ width }) => width))
  const bounds = [0, 0, 3000]
  const upright_caret = [1, 0, 0]
  const reserved = [0, 0, 0, 0, 0]
  return words([
    ...[1, 0, ascent, descent, 0, widest],
    ...[...bounds, ...upright_caret, ...reserved, glyphs.length],
  ])
}

function maxpTable(glyphs: SubsetGlyph[]): Buffer {
  const points = Math.max(...glyphs.map((one) => one.contours.flat().length))
  const contours = Math.max(...glyphs.map((one) => one.contours.length))
  return words([1, 0, glyphs.length, points, contours, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
}
