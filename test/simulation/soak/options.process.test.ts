import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readSoakOptions } from './options.ts'
import { sumOf } from './samples.ts'

const script = fileURLToPath(new URL('run.ts', import.meta.url))

test('by default a soak runs for half an hour at half load', () => {
  const { minutes, load, seed, ...rest } = readSoakOptions([])
  assert.deepEqual({ minutes, load, seed }, { minutes: 30, load: 0.5, seed: 1 })
  assert.deepEqual(rest, { plant: undefined, rate: undefined, samples: undefined })
  assert.equal(readSoakOptions(['--minutes', '0.5']).minutes, 0.5)
})

const invalid: Record<string, [args: string[], message: RegExp]> = {
  'too few minutes': [
    ['--minutes', '0.01'],
    /--minutes must be a number from 0.5 to 1440; got "0.01"/,
  ],
  'too much load': [['--load', '2'], /--load must be a number from 0.05 to 1/],
  'an empty number': [['--minutes', ''], /--minutes must be a number/],
  'an unknown leak': [['--plant', 'weeds'], /--plant must be one of memory-leak/],
  'an unknown option': [['--fast'], /--fast/],
  'a positional argument': [['now'], /now/],
}

for (const [what, [args, message]] of Object.entries(invalid)) {
  test(`rejects ${what}`, () => assert.throws(() => readSoakOptions(args), message))
}

test('exits with 64 for an invalid option', () => {
  const args = [script, '--load', '2']
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.equal(status, 64)
  assert.match(stderr, /--load must be a number/)
})

test('sumOf adds up all labels of a metric, and rejects a missing metric', () => {
  const text = '# HELP a it\na{lane="x"} 2\na{lane="y"} 3\nab 7\nb 1.5e3\n'
  assert.equal(sumOf(text, 'a'), 5)
  assert.equal(sumOf(text, 'a{lane="y"}'), 3)
  assert.equal(sumOf(text, 'b'), 1_500)
  assert.throws(() => sumOf(text, 'c'), /has no c/)
})
