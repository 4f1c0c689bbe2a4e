// A QR code as rows of dark and light modules (ISO/IEC 18004), of our own making: the page loads
// nothing from outside, and the link in it is a secret that no service may draw for us.

import { type Codewords, codewordsOf } from './qr-codewords.ts'
import { penaltyOf } from './qr-penalty.ts'

/** Rows from the top, columns from the left; true is dark. */
export type Matrix = boolean[][]

/** Undefined for a text that is longer than the ten versions hold: 213 bytes. */
export function qrMatrix(text: string, wanted_mask?: number): Matrix | undefined {
  const codewords = codewordsOf(text)
  if (codewords === undefined) return undefined
  if (wanted_mask !== undefined) return draw(codewords, wanted_mask)
  const drawn = masks.map((_, mask) => draw(codewords, mask))
  // Readers confuse large even areas and what looks like a finder: the mask with the least wins.
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

// While it is drawn, null is a module that is free for data.
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

/** Centres, for rows and columns alike, by version from 1. */
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
  const centres = alignments[version - 1]!
  const isFinder = (row: number, column: number) =>
    (row === 6 && (column === 6 || column === size - 7)) || (row === size - 7 && column === 6)
  for (const row of centres) {
    for (const column of centres) {
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

/** Level and mask with ten bits that mend them, twice: around one finder, and beside the others. */
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

/** From version 7 on, with twelve bits that mend it, twice. */
function drawVersion(draft: Draft, size: number, version: number): void {
  const bits = (version << 12) | remainder(version, 12, 0b1111100100101)
  for (let at = 0; at < 18; at++) {
    const dark = ((bits >> at) & 1) === 1
    const [far, near] = [size - 11 + (at % 3), Math.floor(at / 3)]
    draft[near]![far] = dark
    draft[far]![near] = dark
  }
}

/** What is left of the data, moved up by so many bits, after division by the polynomial. */
function remainder(data: number, bits: number, polynomial: number): number {
  let rest = data << bits
  for (let at = 31 - Math.clz32(rest); at >= bits; at--) {
    if ((rest >> at) & 1) rest ^= polynomial << (at - bits)
  }
  return rest
}

/** In columns of two, from the lower right, up and down in turn, around what is drawn already. */
function fill(draft: Draft, size: number, bytes: number[], isTurned: (typeof masks)[0]): void {
  let next = 0
  for (let pair = 0; pair < (size - 1) / 2; pair++) {
    // The column of the timing pattern is no part of any two.
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
