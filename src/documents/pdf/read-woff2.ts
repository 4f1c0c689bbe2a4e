// Turns a WOFF2 file into the TrueType font that it contains, as the recommendation of the W3C
// describes it. fontkit reads WOFF2 too, but only with the default weight of a variable font.
// Instructions for small screens are dropped.

import { brotliDecompressSync } from 'node:zlib'
import { type Contour, encodeGlyph, locaTable, padded, words, writeSfnt } from './sfnt.ts'

export function readWoff2(file: Buffer): Buffer {
  const tables = readTables(file)
  const outlines = readOutlines(tables.get('glyf')!)
  const head = Buffer.from(tables.get('head')!)
  // `loca` has long offsets.
  head.writeInt16BE(1, 50)
  const metrics = tables.get('hmtx (transformed)')
  if (metrics !== undefined) {
    tables.set('hmtx', readMetrics(metrics, tables.get('hhea')!, outlines))
    tables.delete('hmtx (transformed)')
  }
  tables.set('glyf', Buffer.concat(outlines))
  tables.set('loca', locaTable(outlines))
  tables.set('head', head)
  return writeSfnt(tables)
}

class Reader {
  readonly #bytes: Buffer
  #at: number

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes
    this.#at = at
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#at++)
  }

  word(): number {
    this.#at += 2
    return this.#bytes.readUInt16BE(this.#at - 2)
  }

  signedWord(): number {
    return (this.word() << 16) >> 16
  }

  long(): number {
    return this.word() * 0x10000 + this.word()
  }

  take(length: number): Buffer {
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  /** Seven bits per byte, the highest first. */
  base128(): number {
    let value = 0
    for (let length = 0; length < 5; length++) {
      const byte = this.byte()
      value = value * 128 + (byte & 0x7f)
      if (byte < 0x80) return value
    }
    throw new Error('a length has more than five bytes')
  }

  /** One byte for values up to 252. */
  short(): number {
    const code = this.byte()
    if (code === 253) return this.word()
    if (code === 254) return this.byte() + 506
    return code === 255 ? this.byte() + 253 : code
  }
}

const known_tags = (
  'cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp ' +
  'hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL ' +
  'SVG_ sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx ' +
  'opbd prop trak Zapf Silf Glat Gloc Feat Sill'
)
  .replaceAll('_', ' ')
  .split(/ (?=\S)/)

function readTables(file: Buffer): Map<string, Buffer> {
  const reader = new Reader(file)
  if (reader.take(4).toString('latin1') !== 'wOF2') throw new Error('the file is not in WOFF2')
  reader.take(8)
  const count = reader.word()
  reader.take(6)
  const compressed_length = reader.long()
  reader.take(24)
  const entries = Array.from({ length: count }, () => readEntry(reader))
  const data = new Reader(brotliDecompressSync(reader.take(compressed_length)))
  return new Map(entries.map(({ tag, length }) => [tag, data.take(length)]))
}

function readEntry(reader: Reader): { tag: string; length: number } {
  const flags = reader.byte()
  const known = flags & 0x3f
  const tag = known === 0x3f ? reader.take(4).toString('latin1') : known_tags[known]!
  const original_length = reader.base128()
  const is_outlines = tag === 'glyf' || tag === 'loca'
  const is_transformed = flags >> 6 === (is_outlines ? 0 : 1)
  if (!is_transformed && is_outlines) throw new Error('outlines that are not transformed')
  const length = is_transformed ? reader.base128() : original_length
  return { tag: is_transformed && tag === 'hmtx' ? 'hmtx (transformed)' : tag, length }
}

/** The parts of the transformed table, each a stream of one kind of value. */
interface Streams {
  contours: Reader
  points: Reader
  flags: Reader
  glyphs: Reader
  composites: Reader
  boxes: Reader
}

function readOutlines(table: Buffer): Buffer[] {
  const reader = new Reader(table)
  reader.take(4)
  const count = reader.word()
  reader.take(2)
  const lengths = Array.from({ length: 7 }, () => reader.long())
  const [contours, points, flags, glyphs, composites, boxes] = lengths.map(
    (length) => new Reader(reader.take(length)),
  ) as [Reader, Reader, Reader, Reader, Reader, Reader]
  const has_box = boxes.take(Math.ceil(count / 32) * 4)
  const streams = { contours, points, flags, glyphs, composites, boxes }
  return Array.from({ length: count }, (_, id) => {
    const box = (has_box[id >> 3]! & (0x80 >> (id & 7))) !== 0 ? streams.boxes.take(8) : undefined
    return readOutline(streams, box)
  })
}

function readOutline(streams: Streams, box: Buffer | undefined): Buffer {
  const contours = streams.contours.signedWord()
  if (contours < 0) return readComposite(streams, box!)
  const glyph = encodeGlyph(readContours(streams, contours))
  if (box !== undefined) box.copy(glyph, 2)
  return glyph
}

function readContours({ points, flags, glyphs }: Streams, count: number): Contour[] {
  const lengths = Array.from({ length: count }, () => points.short())
  let x = 0
  let y = 0
  const contours = lengths.map((length) =>
    Array.from({ length }, () => {
      const flag = flags.byte()
      const [dx, dy] = readStep(flag & 0x7f, glyphs)
      x += dx
      y += dy
      return { x, y, on: flag < 0x80 }
    }),
  )
  // The length of the instructions, which are in another stream.
  if (count > 0) glyphs.short()
  return contours
}

/** From one point to the next. The flag has the sizes of both numbers, signs and high bits. */
function readStep(flag: number, data: Reader): [number, number] {
  const signed = (bits: number, value: number) => (bits & 1 ? value : -value)
  const high = flag >> 1
  if (flag < 10) return [0, signed(flag, ((flag & 14) << 7) + data.byte())]
  if (flag < 20) return [signed(flag, (((flag - 10) & 14) << 7) + data.byte()), 0]
  if (flag < 84) {
    const bits = flag - 20
    const byte = data.byte()
    const dx = 1 + (bits & 0x30) + (byte >> 4)
    return [signed(flag, dx), signed(high, 1 + ((bits & 0x0c) << 2) + (byte & 0x0f))]
  }
  if (flag < 120) {
    const bits = flag - 84
    const dx = 1 + (Math.floor(bits / 12) << 8) + data.byte()
    return [signed(flag, dx), signed(high, 1 + (((bits % 12) >> 2) << 8) + data.byte())]
  }
  if (flag < 124) {
    const [first, middle, last] = [data.byte(), data.byte(), data.byte()]
    const dx = (first << 4) + (middle >> 4)
    return [signed(flag, dx), signed(high, ((middle & 0x0f) << 8) + last)]
  }
  return [signed(flag, data.word()), signed(high, data.word())]
}

const composite = {
  words: 0x1,
  scale: 0x8,
  more: 0x20,
  two_scales: 0x40,
  matrix: 0x80,
  code: 0x100,
}

/** A glyph of other glyphs, such as an A with an accent. */
function readComposite({ composites, glyphs }: Streams, box: Buffer): Buffer {
  const parts = [words([-1]), box]
  for (let has_code = false; ; ) {
    const flags = composites.word()
    has_code ||= (flags & composite.code) !== 0
    let length = flags & composite.words ? 6 : 4
    if (flags & composite.scale) length += 2
    else if (flags & composite.two_scales) length += 4
    else if (flags & composite.matrix) length += 8
    parts.push(words([flags & ~composite.code]), composites.take(length))
    if (flags & composite.more) continue
    if (has_code) glyphs.short()
    return padded(Buffer.concat(parts))
  }
}

/** The left side bearings are left out where they are the left edges of the outlines. */
function readMetrics(table: Buffer, hhea: Buffer, outlines: Buffer[]): Buffer {
  const reader = new Reader(table)
  const flags = reader.byte()
  const count = hhea.readUInt16BE(34)
  const edge = (outline: Buffer) => (outline.length === 0 ? 0 : outline.readInt16BE(2))
  const advances = Array.from({ length: count }, () => reader.word())
  const bearings = outlines.map((outline, id) => {
    const is_stored = (flags & (id < count ? 1 : 2)) === 0
    return is_stored ? reader.signedWord() : edge(outline)
  })
  return words(bearings.flatMap((left, id) => (id < count ? [advances[id]!, left] : [left])))
}
