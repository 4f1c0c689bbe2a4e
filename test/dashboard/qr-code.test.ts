// The QR code that a customer points a telephone at.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { errorCorrectionBytes } from '../../web/dashboard/src/parts/qr-codewords.ts'
import { type Matrix, qrMatrix } from '../../web/dashboard/src/parts/qr-matrix.ts'
import { readQrCode } from '../support/read-qr-code.ts'

const rowsOf = (matrix: Matrix) => matrix.map((row) => row.map((dark) => (dark ? 1 : 0)).join(''))

// As other encoders draw it too: version 1, level M, mask 2. Rows as numbers, dark is 1.
const hello_world = [
  0x1fcb7f, 0x104441, 0x175e5d, 0x175d5d, 0x17555d, 0x105241, 0x1fd57f, 0x001400, 0x17ca7c,
  0x0dabfd, 0x15edce, 0x148b9c, 0x02f9c1, 0x001519, 0x1fc246, 0x1050af, 0x175261, 0x1759f8,
  0x175924, 0x104d9c, 0x1fdb52,
].map((row) => row.toString(2).padStart(21, '0'))

test('a text known to other encoders is drawn as they draw it, module by module', () => {
  assert.deepEqual(rowsOf(qrMatrix('hello world', 2)!), hello_world)
  assert.deepEqual(rowsOf(qrMatrix('hello world')!), hello_world, 'the same mask is chosen')
})

test('the bytes that mend a block are those of the textbook', () => {
  const block = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17]
  const mending = [196, 35, 39, 119, 235, 215, 231, 226, 93, 23]
  assert.deepEqual(errorCorrectionBytes(block, 10), mending)
})

test('every version is chosen when the one before it is full, and is read back', () => {
  const capacities = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213]
  capacities.forEach((capacity, at) => {
    const text = 'Zahlung-'.repeat(30).slice(0, capacity)
    const matrix = qrMatrix(text)!
    assert.equal(matrix.length, 21 + 4 * at, `${capacity} bytes`)
    assert.equal(readQrCode(rowsOf(matrix)), text)
    assert.equal(qrMatrix(`${text}!`)?.length, at === 9 ? undefined : 25 + 4 * at)
  })
})

test('each mask is read back', () => {
  for (let mask = 0; mask < 8; mask++) {
    const text = `https://pay.example.com/pay/${'mask'.repeat(mask * 5)}`
    assert.equal(readQrCode(rowsOf(qrMatrix(text, mask)!)), text)
  }
})

test('any text that fits is read back, whatever its letters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (text) => {
      const matrix = qrMatrix(text)
      if (new TextEncoder().encode(text).length > 213) assert.equal(matrix, undefined)
      else assert.equal(readQrCode(rowsOf(matrix!)), text)
    }),
    { numRuns: 60 },
  )
})

test('a single wrong module is seen by the reader that these tests trust', () => {
  const rows = rowsOf(qrMatrix('https://pay.example.com/pay/1')!)
  const last = rows.length - 1
  rows[last] = `${rows[last]!.slice(0, -1)}${rows[last]!.endsWith('1') ? '0' : '1'}`
  assert.throws(() => readQrCode(rows), /damaged|byte mode/)
})
