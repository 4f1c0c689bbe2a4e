// Images for tests, written byte by byte: valid ones of each format, and hostile ones.

import { crc32, deflateSync } from 'node:zlib'

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Of one color, red, green and blue. */
export function png(
  width: number,
  height: number,
  { color = [122, 31, 92], more = [] as Buffer[], end = Buffer.alloc(0) } = {},
): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.from([
    0,
    ...Array.from({ length: Math.min(width, 1_200) }, () => color).flat(),
  ])
  const rows = Buffer.concat(Array.from({ length: Math.min(height, 1_200) }, () => row))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...more,
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
    end,
  ])
}

export const animated_png = png(8, 8, { more: [chunk('acTL', Buffer.alloc(8))] })

const segment = (marker: number, data: Buffer) => {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(0xff00 | marker)
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** Structure only: the server reads the header, and does not decode the image. */
export function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.alloc(6)
  frame.set([8], 0)
  frame.writeUInt16BE(height, 1)
  frame.writeUInt16BE(width, 3)
  const soi = Buffer.from('ffd8', 'hex')
  const eoi = Buffer.from('ffd9', 'hex')
  const tables = [segment(0xe0, Buffer.from('JFIF\0')), segment(0xdb, Buffer.alloc(65))]
  return Buffer.concat([soi, ...tables, segment(0xc2, frame), segment(0xda, Buffer.alloc(8)), eoi])
}

function riff(fourcc: string, data: Buffer): Buffer {
  const head = Buffer.alloc(20)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(data.length + 12, 4)
  head.write(`WEBP${fourcc}`, 8, 'latin1')
  head.writeUInt32LE(data.length, 16)
  return Buffer.concat([head, data])
}

export function webp(width: number, height: number, kind: 'VP8 ' | 'VP8L' | 'VP8X'): Buffer {
  const data = Buffer.alloc(16)
  if (kind === 'VP8 ') {
    data.set([0x9d, 0x01, 0x2a], 3)
    data.writeUInt16LE(width, 6)
    data.writeUInt16LE(height, 8)
  } else if (kind === 'VP8L') {
    data.writeUInt8(0x2f)
    data.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 1)
  } else {
    data.writeUIntLE(width - 1, 4, 3)
    data.writeUIntLE(height - 1, 7, 3)
  }
  return riff(kind, data)
}

export function animatedWebp(): Buffer {
  const image = webp(8, 8, 'VP8X')
  image[20] = 0x02
  return image
}
