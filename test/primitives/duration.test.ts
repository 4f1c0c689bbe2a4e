import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDuration } from '../../src/primitives/duration.ts'

test('parses a whole number with a unit', () => {
  const good: [string, number][] = [
    ['1s', 1],
    ['90s', 90],
    ['45m', 2_700],
    ['12h', 43_200],
    ['3d', 259_200],
    ['2w', 1_209_600],
    ['007d', 604_800],
    ['0s', 0],
  ]
  for (const [text, seconds] of good) assert.equal(parseDuration(text), seconds, text)
})

test('returns undefined for any other text', () => {
  const bad = ['', '3', 'd', '3 d', '3D', '-3d', '+3d', '3.5d', '1d12h', '3d ', '3y', '3ms', '٣d']
  for (const text of [...bad, `${'9'.repeat(13)}s`]) assert.equal(parseDuration(text), undefined)
})
