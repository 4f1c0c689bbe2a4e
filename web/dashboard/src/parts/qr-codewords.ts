// The bytes of a QR code (ISO/IEC 18004): the text in byte mode, filled up, cut into blocks, each
// with the bytes that mend it, all of them interleaved. Error level M, which survives 15 % of
// damage: a link on a screen or on a printed invoice needs no more.

interface Blocks {
  /** Bytes that mend, in each block. */
  mending: number
  /** How many bytes of data each block has. */
  data: number[]
}

/** By version, from 1. Version 10 takes 213 bytes, and links are shorter than that. */
const blocks_of: Blocks[] = [
  { mending: 10, data: [16] },
  { mending: 16, data: [28] },
  { mending: 26, data: [44] },
  { mending: 18, data: [32, 32] },
  { mending: 24, data: [43, 43] },
  { mending: 16, data: [27, 27, 27, 27] },
  { mending: 18, data: [31, 31, 31, 31] },
  { mending: 22, data: [38, 38, 39, 39] },
  { mending: 22, data: [36, 36, 36, 37, 37] },
  { mending: 26, data: [43, 43, 43, 43, 44] },
]

export interface Codewords {
  version: number
  bytes: number[]
}

/** In the smallest version that holds the text; undefined when none of the ten does. */
export function codewordsOf(text: string): Codewords | undefined {
  const bytes = [...new TextEncoder().encode(text)]
  const version = blocks_of.findIndex((_, at) => bytes.length <= capacityOf(at + 1)) + 1
  if (version === 0) return undefined
  const { mending, data } = blocks_of[version - 1]!
  const whole = fillUp(bytes, version)
  const blocks = data.map((size, at) => {
    const start = sum(data.slice(0, at))
    return whole.slice(start, start + size)
  })
  const mends = blocks.map((block) => errorCorrectionBytes(block, mending))
  return { version, bytes: [...interleave(blocks), ...interleave(mends)] }
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

/** The head, the text, four zeros, and two bytes in turn up to the end. */
function fillUp(bytes: number[], version: number): number[] {
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

/** Reed–Solomon: what is left of the block, as a polynomial, after division by the generator. */
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
    product = shifted.map((one, place) => one ^ times(product[place - 1] ?? 0, root))
    root = times(root, 2)
  }
  return product.slice(1)
}

/** In the field of 256 elements whose polynomial is x⁸ + x⁴ + x³ + x² + 1. */
function times(one: number, other: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    if ((other >> bit) & 1) product ^= one
  }
  return product
}
