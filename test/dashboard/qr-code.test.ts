// The QR code generator.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { errorCorrectionBytes } from '../../web/dashboard/src/parts/qr-codewords.ts'
import { type Matrix, qrMatrix } from '../../web/dashboard/src/parts/qr-matrix.ts'
import { readQrCode } from '../support/read-qr-code.ts'

const rowsOf = (matrix: Matrix) => matrix.map((row) => row.map((dark) => (dark ? 1 : 0)).join(''))

// The output of other encoders: version 1, level M, mask 2. Rows as numbers, dark is 1.
const hello_world = [
  0x1fcb7f, 0x104441, 0x175e5d, 0x175d5d, 0x17555d, 0x105241, 0x1fd57f, 0x001400, 0x17ca7c,
  0x0dabfd, 0x15edce, 0x148b9c, 0x02f9c1, 0x001519, 0x1fc246, 0x1050af, 0x175261, 0x1759f8,
  0x175924, 0x104d9c, 0x1fdb52,
].map((row) => row.toString(2).padStart(21, '0'))

test('matches the output of other encoders module by module', () => {
  assert.deepEqual(rowsOf(qrMatrix('hello world', 2)!), hello_world)
  assert.deepEqual(rowsOf(qrMatrix('hello world')!), hello_world, 'selects the same mask')
})

test('error correction bytes match a published example', () => {
  const block = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17]
  const expected = [196, 35, 39, 119, 235, 215, 231, 226, 93, 23]
  assert.deepEqual(errorCorrectionBytes(block, 10), expected)
})

test('selects the smallest version that fits, and decodes every version', () => {
  const capacities = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213]
  capacities.forEach((capacity, at) => {
    const text = 'Zahlung-'.repeat(30).slice(0, capacity)
    const matrix = qrMatrix(text)!
    assert.equal(matrix.length, 21 + 4 * at, `${capacity} bytes`)
    assert.equal(readQrCode(rowsOf(matrix)), text)
    assert.equal(qrMatrix(`${text}!`)?.length, at === 9 ? undefined : 25 + 4 * at)
  })
})

test('decodes every mask', () => {
  for (let mask = 0; mask < 8; mask++) {
    const text = `https://pay.example.com/pay/${'mask'.repeat(mask * 5)}`
    assert.equal(readQrCode(rowsOf(qrMatrix(text, mask)!)), text)
  }
})

test('decodes any text that fits, in any script', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (text) => {
      const matrix = qrMatrix(text)
      if (new TextEncoder().encode(text).length > 213) assert.equal(matrix, undefined)
      else assert.equal(readQrCode(rowsOf(matrix!)), text)
    }),
    { numRuns: 60 },
  )
})

test('the test decoder detects a single wrong module', () => {
  const rows = rowsOf(qrMatrix('https://pay.example.com/pay/1')!)
  const last = rows.length - 1
  rows[last] = `${rows[last]!.slice(0, -1)}${rows[last]!.endsWith('1') ? '0' : '1'}`
  assert.throws(() => readQrCode(rows), /damaged|byte mode/)
})
