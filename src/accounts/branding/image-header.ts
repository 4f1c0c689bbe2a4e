// Reads the type and the size of an image from its bytes. Only formats that cannot contain a script
// are known: SVG is not one of them. The image is not decoded, so a hostile one costs nothing here.

type ImageType = 'image/png' | 'image/jpeg' | 'image/webp'

export interface ImageHeader {
  type: ImageType
  width: number
  height: number
}

/** Undefined if the bytes are not a still image in one of the known formats. */
export function findImageHeader(bytes: Buffer): ImageHeader | undefined {
  try {
    return findPng(bytes) ?? findJpeg(bytes) ?? findWebp(bytes)
  } catch (error) {
    // A read past the end: the image is truncated.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex')

/** The first chunk has the size, and the last one ends the file. */
function findPng(bytes: Buffer): ImageHeader | undefined {
  if (!bytes.subarray(0, 8).equals(pngSignature)) return undefined
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  const chunks: string[] = []
  let at = 8
  while (at < bytes.length) {
    chunks.push(bytes.toString('latin1', at + 4, at + 8))
    // Length, type and checksum are 12 bytes.
    at += bytes.readUInt32BE(at) + 12
  }
  const is_whole = at === bytes.length && chunks[0] === 'IHDR' && chunks.at(-1) === 'IEND'
  const is_still = !chunks.includes('acTL')
  return is_whole && is_still ? { type: 'image/png', ...size } : undefined
}

// SOF0 to SOF15, without DHT, JPG and DAC, which share the range.
const frameMarkers = new Set([
  0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf,
])

/** The size is in the frame header, after any number of other segments. */
function findJpeg(bytes: Buffer): ImageHeader | undefined {
  if (bytes.readUInt16BE(0) !== 0xffd8 || bytes.readUInt16BE(bytes.length - 2) !== 0xffd9) {
    return undefined
  }
  let at = 2
  while (at < bytes.length) {
    if (bytes.readUInt8(at) !== 0xff) return undefined
    const marker = bytes.readUInt8(at + 1)
    if (frameMarkers.has(marker)) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)]
      return { type: 'image/jpeg', width, height }
    }
    const length = bytes.readUInt16BE(at + 2)
    // The length includes its own two bytes. A smaller one would never advance.
    if (length < 2) return undefined
    at += 2 + length
  }
  return undefined
}

/** RIFF, with one of three kinds of first chunk. */
function findWebp(bytes: Buffer): ImageHeader | undefined {
  const is_webp =
    bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
  if (!is_webp || bytes.readUInt32LE(4) + 8 !== bytes.length) return undefined
  const size = webpSize(bytes)
  return size && { type: 'image/webp', ...size }
}

const webp_animation = 0x02

function webpSize(bytes: Buffer): { width: number; height: number } | undefined {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return undefined
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      if (bytes.readUInt8(20) !== 0x2f) return undefined
      const packed = bytes.readUInt32LE(21)
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      if (bytes.readUInt8(20) & webp_animation) return undefined
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}
