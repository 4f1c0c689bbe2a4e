import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readSoakOptions } from './options.ts'
import { sumOf } from './samples.ts'

const script = fileURLToPath(new URL('run.ts', import.meta.url))

test('without options it is half an hour at half load', () => {
  const { minutes, load, seed, ...rest } = readSoakOptions([])
  assert.deepEqual({ minutes, load, seed }, { minutes: 30, load: 0.5, seed: 1 })
  assert.deepEqual(rest, { plant: undefined, rate: undefined, samples: undefined })
  assert.equal(readSoakOptions(['--minutes', '0.5']).minutes, 0.5)
})

const refused: Record<string, [args: string[], says: RegExp]> = {
  'a second': [['--minutes', '0.01'], /--minutes must be a number from 0.5 to 1440; 0.01 came/],
  'twice what it takes': [['--load', '2'], /--load must be a number from 0.05 to 1/],
  'no number': [['--minutes', ''], /--minutes must be a number/],
  'a leak that nobody planted': [['--plant', 'weeds'], /--plant must be one of memory-leak/],
  'an option that nobody knows': [['--fast'], /--fast/],
  'a word too many': [['now'], /now/],
}

for (const [what, [args, says]] of Object.entries(refused)) {
  test(`${what} is refused`, () => assert.throws(() => readSoakOptions(args), says))
}

test('what is refused ends with 64, and nothing is started', () => {
  const args = [script, '--load', '2']
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.equal(status, 64)
  assert.match(stderr, /--load must be a number/)
})

test('metrics are summed over their labels, and one that is missing is told', () => {
  const text = '# HELP a it\na{lane="x"} 2\na{lane="y"} 3\nab 7\nb 1.5e3\n'
  assert.equal(sumOf(text, 'a'), 5)
  assert.equal(sumOf(text, 'a{lane="y"}'), 3)
  assert.equal(sumOf(text, 'b'), 1_500)
  assert.throws(() => sumOf(text, 'c'), /has no c/)
})
