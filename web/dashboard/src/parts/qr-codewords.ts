// QR codewords (ISO/IEC 18004): the text in byte mode, padded, split into blocks with their error
// correction bytes, and interleaved. Level M recovers 15 % damage, enough for screens and invoices.

interface Blocks {
  /** Error correction bytes per block. */
  correction: number
  /** Data bytes of each block. */
  data: number[]
}

/** By version, from 1. Version 10 holds 213 bytes; payment links are shorter. */
const blocks_of: Blocks[] = [
  { correction: 10, data: [16] },
  { correction: 16, data: [28] },
  { correction: 26, data: [44] },
  { correction: 18, data: [32, 32] },
  { correction: 24, data: [43, 43] },
  { correction: 16, data: [27, 27, 27, 27] },
  { correction: 18, data: [31, 31, 31, 31] },
  { correction: 22, data: [38, 38, 39, 39] },
  { correction: 22, data: [36, 36, 36, 37, 37] },
  { correction: 26, data: [43, 43, 43, 43, 44] },
]

export interface Codewords {
  version: number
  bytes: number[]
}

/** Uses the smallest version that fits; undefined if none of the ten does. */
export function codewordsOf(text: string): Codewords | undefined {
  const bytes = [...new TextEncoder().encode(text)]
  const version = blocks_of.findIndex((_, at) => bytes.length <= capacityOf(at + 1)) + 1
  if (version === 0) return undefined
  const { correction, data } = blocks_of[version - 1]!
  const padded = pad(bytes, version)
  const blocks = data.map((size, at) => {
    const start = sum(data.slice(0, at))
    return padded.slice(start, start + size)
  })
  const corrections = blocks.map((block) => errorCorrectionBytes(block, correction))
  return { version, bytes: [...interleave(blocks), ...interleave(corrections)] }
}

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0)

function capacityOf(version: number): number {
  const head_bits = 4 + lengthBits(version)
  return sum(blocks_of[version - 1]!.data) - Math.ceil(head_bits / 8)
}

function lengthBits(version: number): number {
  return version < 10 ? 8 : 16
}

const byte_mode = 0b0100

/** Header, text, four zero bits, then two alternating pad bytes. */
function pad(bytes: number[], version: number): number[] {
  const parts = [
    binary(byte_mode, 4),
    binary(bytes.length, lengthBits(version)),
    ...bytes.map((byte) => binary(byte, 8)),
    '0000',
  ]
  const bits = parts.join('')
  const filled = bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2))
  const size = sum(blocks_of[version - 1]!.data)
  for (let at = 0; filled.length < size; at++) filled.push(at % 2 === 0 ? 0xec : 0x11)
  return filled
}

function binary(value: number, digits: number): string {
  return value.toString(2).padStart(digits, '0')
}

function interleave(blocks: number[][]): number[] {
  const longest = Math.max(...blocks.map((block) => block.length))
  const turns = Array.from({ length: longest }, (_, at) => blocks.map((block) => block[at]))
  return turns.flat().filter((byte) => byte !== undefined)
}

/** Reed–Solomon: the remainder of the block, as a polynomial, divided by the generator. */
export function errorCorrectionBytes(block: number[], count: number): number[] {
  const generator = generatorOf(count)
  let rest = new Array<number>(count).fill(0)
  for (const byte of block) {
    const factor = byte ^ rest[0]!
    rest = [...rest.slice(1), 0].map((one, at) => one ^ times(generator[at]!, factor))
  }
  return rest
}

/** (x − 1)(x − 2)(x − 4)… without its leading 1. */
function generatorOf(count: number): number[] {
  let product = [1]
  let root = 1
  for (let at = 0; at < count; at++) {
    const shifted = [...product, 0]
    product = shifted.map((one, index) => one ^ times(product[index - 1] ?? 0, root))
    root = times(root, 2)
  }
  return product.slice(1)
}

/** Multiplication in GF(256) with the polynomial x⁸ + x⁴ + x³ + x² + 1. */
function times(one: number, other: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    if ((other >> bit) & 1) product ^= one
  }
  return product
}
