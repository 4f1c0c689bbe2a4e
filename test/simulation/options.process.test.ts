import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { nemesisNames } from './nemesis/nemesis-names.ts'
import { readOptions } from './options.ts'

const script = fileURLToPath(new URL('run.ts', import.meta.url))

test('by default a run has sixteen clients and all faults for a minute', () => {
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
    patroni: false,
    provider: false,
    plant: undefined,
    plants: false,
    seeds: 1,
    keep: false,
  })
})

test('--nemesis accepts a list of faults, "all" and "none"', () => {
  const read = (value: string) => readOptions(['--nemesis', value]).nemesis
  assert.deepEqual(read('kill-server,hold-locks'), ['kill-server', 'hold-locks'])
  assert.deepEqual(read('none'), [])
  assert.deepEqual(read('all'), [...nemesisNames])
})

test('a run with three servers or more may take longer', () => {
  assert.equal(readOptions(['--instances', '2']).patience, 0)
  assert.equal(readOptions(['--instances', '3']).patience, 120)
  assert.equal(readOptions(['--instances', '3', '--patience', '0']).patience, 0)
})

test('planted bugs run with twenty seeds each, and some need the provider', () => {
  assert.equal(readOptions(['--plants']).seeds, 20)
  assert.equal(readOptions(['--plant', 'ack-before-commit']).provider, false)
  const { provider, clients, nemesis } = readOptions(['--plant', 'trust-webhook-body'])
  assert.deepEqual([provider, clients], [true, 8])
  assert.ok(nemesis.includes('kill-server') && !nemesis.includes('fail-over'))
})

const invalid: Record<string, [args: string[], message: RegExp]> = {
  'an unknown fault': [['--nemesis', 'fire'], /--nemesis must be one of kill-server/],
  'an unknown planted bug': [['--plant', 'weeds'], /--plant must be one of ack-before-commit/],
  'six servers': [['--instances', '6'], /--instances must be a whole number from 1 to 5/],
  'half a second': [['--seconds', '0.5'], /--seconds must be a whole number/],
  'an unsupported database': [
    ['--database', 'mysql://it'],
    /--database must be embedded, or a URL/,
  ],
  'a standby of an external database': [
    ['--standby', '--database', 'postgres://it'],
    /--standby starts its own database/,
  ],
  'Patroni on an external database': [
    ['--patroni', '--database', 'postgres://it'],
    /--patroni starts its own database/,
  ],
  'Patroni with another standby': [['--patroni', '--standby'], /leave one out/],
  'a standby with a provider': [['--standby', '--provider'], /--standby and --provider/],
  'an hour for each seed': [['--seeds', '2', '--seconds', '3600'], /--seconds must be at most 60/],
  'an unknown option': [['--fast'], /--fast/],
  'a positional argument': [['now'], /now/],
}

for (const [what, [args, message]] of Object.entries(invalid)) {
  test(`rejects ${what} with exit status 64`, () => {
    const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' })
    assert.equal(status, 64)
    assert.match(stderr, message)
  })
}
