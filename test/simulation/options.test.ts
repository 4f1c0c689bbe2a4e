import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { nemesisNames } from './nemesis/nemesis-names.ts'
import { readOptions } from './options.ts'

const script = fileURLToPath(new URL('run.ts', import.meta.url))

test('without options it is a minute of sixteen clients under all faults', () => {
  const { seed, ...options } = readOptions([])
  assert.ok(Number.isInteger(seed))
  assert.deepEqual(options, {
    seconds: 60,
    patience: 0,
    clients: 16,
    nemesis: [...nemesisNames],
    instances: 1,
    database: 'embedded',
    standby: false,
    plant: undefined,
    plants: false,
    seeds: 20,
    keep: false,
  })
})

test('faults are named one by one, all at once, or not at all', () => {
  const read = (value: string) => readOptions(['--nemesis', value]).nemesis
  assert.deepEqual(read('kill-server,hold-locks'), ['kill-server', 'hold-locks'])
  assert.deepEqual(read('none'), [])
  assert.deepEqual(read('all'), [...nemesisNames])
})

const refused: Record<string, [args: string[], says: RegExp]> = {
  'a fault that nobody knows': [['--nemesis', 'fire'], /--nemesis must be one of kill-server/],
  'a bug that nobody planted': [['--plant', 'weeds'], /--plant must be one of ack-before-commit/],
  'three servers': [['--instances', '3'], /--instances must be a whole number from 1 to 2/],
  'half a second': [['--seconds', '0.5'], /--seconds must be a whole number/],
  'another database': [['--database', 'mysql://it'], /--database must be embedded, or a URL/],
  'a standby of a given database': [
    ['--standby', '--database', 'postgres://it'],
    /--standby starts its own database/,
  ],
  'an option that nobody knows': [['--fast'], /--fast/],
  'a word too many': [['now'], /now/],
}

for (const [what, [args, says]] of Object.entries(refused)) {
  test(`${what} is refused with 64, and nothing is started`, () => {
    const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' })
    assert.equal(status, 64)
    assert.match(stderr, says)
  })
}
