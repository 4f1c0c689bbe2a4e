// A QR code (ISO/IEC 18004) as rows of dark and light modules. Generated here because the payment
// link is a secret that must not be sent to an external service.

import { type Codewords, codewordsOf } from './qr-codewords.ts'
import { penaltyOf } from './qr-penalty.ts'

/** Rows from the top, columns from the left; true is dark. */
export type Matrix = boolean[][]

/** Undefined if the text is longer than 213 bytes, the capacity of version 10. */
export function qrMatrix(text: string, wanted_mask?: number): Matrix | undefined {
  const codewords = codewordsOf(text)
  if (codewords === undefined) return undefined
  if (wanted_mask !== undefined) return draw(codewords, wanted_mask)
  const drawn = masks.map((_, mask) => draw(codewords, mask))
  // The mask with the lowest penalty is the easiest to read.
  const penalties = drawn.map(penaltyOf)
  return drawn[penalties.indexOf(Math.min(...penalties))]
}

const masks: ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
]

// null marks a module that is still free for data.
type Draft = (boolean | null)[][]

function draw({ version, bytes }: Codewords, mask: number): Matrix {
  const size = 17 + 4 * version
  const draft: Draft = Array.from({ length: size }, () => new Array(size).fill(null))
  drawFinders(draft, size)
  drawAlignments(draft, size, version)
  drawTiming(draft, size)
  drawFormat(draft, size, mask)
  if (version >= 7) drawVersion(draft, size, version)
  fill(draft, size, bytes, masks[mask]!)
  return draft as Matrix
}

function drawFinders(draft: Draft, size: number): void {
  for (const [top, left] of [
    [0, 0],
    [0, size - 7],
    [size - 7, 0],
  ] as const) {
    for (let row = -1; row <= 7; row++) {
      for (let column = -1; column <= 7; column++) {
        if (draft[top + row]?.[left + column] === undefined) continue
        const ring = Math.max(Math.abs(row - 3), Math.abs(column - 3))
        draft[top + row]![left + column] = ring !== 2 && ring !== 4
      }
    }
  }
}

/** Center coordinates, the same for rows and columns, by version from 1. */
const alignments = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
]

function drawAlignments(draft: Draft, size: number, version: number): void {
  const centers = alignments[version - 1]!
  const isFinder = (row: number, column: number) =>
    (row === 6 && (column === 6 || column === size - 7)) || (row === size - 7 && column === 6)
  for (const row of centers) {
    for (const column of centers) {
      if (isFinder(row, column)) continue
      for (let down = -2; down <= 2; down++) {
        for (let right = -2; right <= 2; right++) {
          const ring = Math.max(Math.abs(down), Math.abs(right))
          draft[row + down]![column + right] = ring !== 1
        }
      }
    }
  }
}

function drawTiming(draft: Draft, size: number): void {
  for (let at = 8; at < size - 8; at++) {
    draft[6]![at] = at % 2 === 0
    draft[at]![6] = at % 2 === 0
  }
}

const level_m = 0b00

/** Level and mask with ten error correction bits, drawn twice next to the finders. */
function drawFormat(draft: Draft, size: number, mask: number): void {
  const data = (level_m << 3) | mask
  const bits = ((data << 10) | remainder(data, 10, 0b10100110111)) ^ 0b101010000010010
  for (let at = 0; at < 15; at++) {
    const dark = ((bits >> at) & 1) === 1
    const along = at < 6 ? at : at < 8 ? at + 1 : at === 8 ? 7 : 14 - at
    if (at < 8) draft[along]![8] = dark
    else draft[8]![along] = dark
    if (at < 8) draft[8]![size - 1 - at] = dark
    else draft[size - 15 + at]![8] = dark
  }
  draft[size - 8]![8] = true
}

/** The version number with twelve error correction bits, drawn twice. From version 7 on. */
function drawVersion(draft: Draft, size: number, version: number): void {
  const bits = (version << 12) | remainder(version, 12, 0b1111100100101)
  for (let at = 0; at < 18; at++) {
    const dark = ((bits >> at) & 1) === 1
    const [far, near] = [size - 11 + (at % 3), Math.floor(at / 3)]
    draft[near]![far] = dark
    draft[far]![near] = dark
  }
}

/** The remainder of the data, shifted left by `bits`, divided by the polynomial. */
function remainder(data: number, bits: number, polynomial: number): number {
  let rest = data << bits
  for (let at = 31 - Math.clz32(rest); at >= bits; at--) {
    if ((rest >> at) & 1) rest ^= polynomial << (at - bits)
  }
  return rest
}

/** Fills pairs of columns from the lower right, alternately up and down, skipping drawn modules. */
function fill(draft: Draft, size: number, bytes: number[], isTurned: (typeof masks)[0]): void {
  let next = 0
  for (let pair = 0; pair < (size - 1) / 2; pair++) {
    // Skips the column of the timing pattern.
    const right = size - 1 - 2 * pair - (size - 1 - 2 * pair <= 6 ? 1 : 0)
    for (let step = 0; step < size; step++) {
      const row = pair % 2 === 0 ? size - 1 - step : step
      for (const column of [right, right - 1]) {
        if (draft[row]![column] !== null) continue
        const bit = ((bytes[next >> 3] ?? 0) >> (7 - (next & 7))) & 1
        draft[row]![column] = (bit === 1) !== isTurned(row, column)
        next += 1
      }
    }
  }
}
