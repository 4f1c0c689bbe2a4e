// Decodes a QR code of error correction level M, versions 1 to 10, in byte mode. It shares nothing
// with the code that draws them: it has separate tables, uses logarithms instead of products, and
// rejects a block with a single wrong byte.

/** By version, from 1: total bytes, error correction bytes per block, number of blocks. */
const sizes = [
  [26, 10, 1],
  [44, 16, 1],
  [70, 26, 1],
  [100, 18, 2],
  [134, 24, 2],
  [172, 16, 4],
  [196, 18, 4],
  [242, 22, 4],
  [292, 22, 5],
  [346, 26, 5],
] as const

/** ISO/IEC 18004, table C.1: the fifteen bits of level M with masks 0 to 7. */
const formats = [
  '101010000010010',
  '101000100100101',
  '101111001111100',
  '101101101001011',
  '100010111111001',
  '100000011001110',
  '100111110010111',
  '100101010100000',
]

/** Table D.1: the eighteen bits of versions 7 to 10. */
const versions = [
  '000111110010010100',
  '001000010110111100',
  '001001101010011001',
  '001010010011010011',
]

/** Decodes rows of the characters 0 and 1. */
export function readQrCode(rows: string[]): string {
  const size = rows.length
  const version = (size - 17) / 4
  const at = (row: number, column: number) => rows[row]![column]!
  const mask = readMask(at, size)
  if (version >= 7) requireVersion(at, size, version)
  let bits = ''
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      const row = up ? size - 1 - step : step
      for (const column of [right, right - 1]) {
        if (isFunction(row, column, size, version)) continue
        bits += isMasked(mask, row, column)
          ? at(row, column) === '1'
            ? '0'
            : '1'
          : at(row, column)
      }
    }
  }
  return textOf(dataOf(bits, version), version)
}

type At = (row: number, column: number) => string

function readMask(at: At, size: number): number {
  const ys = [0, 1, 2, 3, 4, 5, 7, 8]
  const xs = [7, 5, 4, 3, 2, 1, 0]
  const first = [...ys.map((row) => at(row, 8)), ...xs.map((column) => at(8, column))]
  const right = Array.from({ length: 8 }, (_, n) => at(8, size - 1 - n))
  const below = Array.from({ length: 7 }, (_, n) => at(size - 7 + n, 8))
  const one = first.reverse().join('')
  const other = [...right, ...below].reverse().join('')
  if (one !== other) throw new Error(`the two formats differ: ${one} and ${other}`)
  if (at(size - 8, 8) !== '1') throw new Error('the dark module is light')
  return formats.indexOf(one)
}

function requireVersion(at: At, size: number, version: number): void {
  const positions = Array.from({ length: 18 }, (_, n) => [Math.floor(n / 3), size - 11 + (n % 3)])
  const one = positions.map(([near, far]) => at(near!, far!))
  const other = positions.map(([near, far]) => at(far!, near!))
  for (const read of [one, other]) {
    const bits = read.reverse().join('')
    if (bits !== versions[version - 7]) throw new Error(`${bits} is not version ${version}`)
  }
}

function isFunction(row: number, column: number, size: number, version: number): boolean {
  const low = size - 8
  if (row === 6 || column === 6) return true
  if (row < 9 && (column < 9 || column >= low)) return true
  if (row >= low && column < 9) return true
  if (version >= 7 && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - 11))) {
    return true
  }
  if (version === 1) return false
  // Alignment pattern centers: two up to version 6, three from version 7.
  const last = size - 7
  const centers = version < 7 ? [6, last] : [6, (6 + last) / 2, last]
  return centers.some((y) =>
    centers.some((x) => {
      const in_corner = (x === 6 && y !== (6 + last) / 2) || (y === 6 && x !== (6 + last) / 2)
      return !in_corner && Math.abs(row - y) <= 2 && Math.abs(column - x) <= 2
    }),
  )
}

function isMasked(mask: number, i: number, j: number): boolean {
  const product = i * j
  const values = [i + j, i, undefined, undefined, (i >> 1) + ((j / 3) | 0)]
  if (mask === 2) return j % 3 === 0
  if (mask === 3) return (i + j) % 3 === 0
  if (mask === 5) return product % 6 === 0
  if (mask === 6) return ((product & 1) + (product % 3)) % 2 === 0
  if (mask === 7) return (i + j + (product % 3)) % 2 === 0
  return values[mask]! % 2 === 0
}

function dataOf(bits: string, version: number): number[] {
  const [total, correction, count] = sizes[version - 1]!
  const bytes = Array.from({ length: total }, (_, at) =>
    Number.parseInt(bits.slice(at * 8, at * 8 + 8), 2),
  )
  const short = Math.floor(total / count) - correction
  const longer_from = count - (total % count)
  const blocks: number[][] = Array.from({ length: count }, () => [])
  let next = 0
  for (let at = 0; at <= short; at++) {
    for (let block = at === short ? longer_from : 0; block < count; block++) {
      blocks[block]!.push(bytes[next++]!)
    }
  }
  const lengths = blocks.map((block) => block.length)
  for (; next < total; next++)
    blocks[(next - (total - correction * count)) % count]!.push(bytes[next]!)
  for (const block of blocks) requireValid(block, correction)
  return blocks.flatMap((block, at) => block.slice(0, lengths[at]))
}

const powers: number[] = []
for (let at = 0, value = 1; at < 255; at++) {
  powers.push(value)
  value = value << 1 > 255 ? (value << 1) ^ 0x11d : value << 1
}

/** A valid block, as a polynomial, is zero at every root of the generator. */
function requireValid(block: number[], correction: number): void {
  for (let root = 0; root < correction; root++) {
    let sum = 0
    block.forEach((byte, at) => {
      if (byte === 0) return
      sum ^= powers[(powers.indexOf(byte) + root * (block.length - 1 - at)) % 255]!
    })
    if (sum !== 0) throw new Error('a block is damaged')
  }
}

function textOf(data: number[], version: number): string {
  const bits = data.map((byte) => byte.toString(2).padStart(8, '0')).join('')
  if (!bits.startsWith('0100')) throw new Error('not in byte mode')
  const start = version < 10 ? 12 : 20
  const length = Number.parseInt(bits.slice(4, start), 2)
  const bytes = Array.from({ length }, (_, at) =>
    Number.parseInt(bits.slice(start + at * 8, start + at * 8 + 8), 2),
  )
  return new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(bytes))
}
