// The file format of TrueType fonts: a directory of tables, and outlines of glyphs.

interface Point {
  x: number
  y: number
  /** False for the control point of a quadratic curve. */
  on: boolean
}

export type Contour = Point[]

/** A glyph of the table `glyf`, without instructions; empty for a space. */
export function encodeGlyph(contours: Contour[]): Buffer {
  const points = contours.flat()
  if (points.length === 0) return Buffer.alloc(0)
  const xs = points.map(({ x }) => x)
  const ys = points.map(({ y }) => y)
  const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
  let end = -1
  const ends = contours.map(({ length }) => (end += length))
  return padded(
    Buffer.concat([
      words([contours.length, ...box, ...ends, 0]),
      // Every coordinate has two bytes.
      Buffer.from(points.map(({ on }) => (on ? 1 : 0))),
      words(differences(xs)),
      words(differences(ys)),
    ]),
  )
}

function differences(values: number[]): number[] {
  return values.map((value, at) => value - (values[at - 1] ?? 0))
}

/** The offsets of all glyphs, and the end of the last one. */
export function locaTable(glyphs: Buffer[]): Buffer {
  let end = 0
  return longs([0, ...glyphs.map(({ length }) => (end += length))])
}

export function writeSfnt(tables: Map<string, Buffer>): Buffer {
  const names = [...tables.keys()].sort()
  const power = Math.floor(Math.log2(names.length))
  const range = 16 * 2 ** power
  const head = [words([1, 0, names.length, range, power, 16 * names.length - range])]
  const body: Buffer[] = []
  let offset = 12 + 16 * names.length
  for (const name of names) {
    const table = tables.get(name)!
    const bytes = padded(table)
    head.push(Buffer.from(name, 'latin1'), longs([checksum(bytes), offset, table.length]))
    body.push(bytes)
    offset += bytes.length
  }
  return Buffer.concat([...head, ...body])
}

function checksum(bytes: Buffer): number {
  let sum = 0
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0
  return sum
}

export function padded(bytes: Buffer): Buffer {
  const missing = (4 - (bytes.length % 4)) % 4
  return missing === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(missing)])
}

/** Big-endian, signed or not. */
export function words(values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, at * 2)
  return bytes
}

function longs(values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4)
  return bytes
}
