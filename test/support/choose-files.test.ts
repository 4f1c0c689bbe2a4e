import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseFiles, reaching, readChoice, tierOf, tiers } from './choose-files.ts'
import { long_files, longestFirst } from './durations.ts'

test('the name of a file states its tier', () => {
  assert.equal(tierOf('test/http/bodies.test.ts'), 'default')
  assert.equal(tierOf('test/payments/page.browser.test.ts'), 'browser')
  assert.equal(tierOf('test/cli/start.process.test.ts'), 'process')
  assert.equal(tierOf('test/http/fuzz.slow.test.ts'), 'slow')
})

test('--all and --tier choose tiers, and names choose files', () => {
  assert.deepEqual(readChoice([]).tiers, ['default'])
  assert.deepEqual(readChoice(['--tier', 'slow', '--tier', 'browser']).tiers, ['slow', 'browser'])
  assert.equal(readChoice(['--all']).tiers.length, 4)
  assert.deepEqual(readChoice(['test/a.test.ts']).files, ['test/a.test.ts'])
  assert.throws(() => readChoice(['--tier', 'fast']), /must be one of default, browser/)
  assert.throws(() => readChoice(['--al']), /Unknown option/)
})

test('every test file belongs to exactly one tier', () => {
  const all = chooseFiles(readChoice(['--all']))
  const each = ['default', 'browser', 'process', 'slow'].flatMap((tier) =>
    chooseFiles(readChoice(['--tier', tier])),
  )
  assert.ok(all.length > 300)
  assert.deepEqual(each.sort(), all.sort())
})

test('--changed chooses the files that reach a changed file', () => {
  const [ids, bodies, start] = [
    'test/primitives/ids.test.ts',
    'test/http/bodies.test.ts',
    'test/cli/start.process.test.ts',
  ]
  const all = [ids, bodies, start]
  assert.deepEqual(reaching(all, []), [])
  assert.deepEqual(reaching(all, [bodies]), [bodies])
  assert.deepEqual(reaching(all, ['src/primitives/ids.ts']), all)
  assert.deepEqual(reaching(all, ['src/http/app.ts']), [bodies, start])
  // Migrations and commands are loaded without an import.
  assert.deepEqual(reaching(all, ['migrations/0001_platform.sql']), [bodies, start])
  assert.deepEqual(reaching(all, ['src/cli.ts']), [start])
  assert.deepEqual(reaching(all, ['README.md']), [])
})

test('the longest file comes first, after those that were never measured', () => {
  const took = (elapsed_s: number) => ({ elapsed_s, cpu_s: elapsed_s })
  const durations = { 'a.test.ts': took(1), 'b.test.ts': took(3), 'c.test.ts': took(2) }
  const files = ['a.test.ts', 'b.test.ts', 'c.test.ts', 'd.test.ts', 'e.slow.test.ts']
  assert.deepEqual(longestFirst(files, durations), [
    'e.slow.test.ts',
    'd.test.ts',
    'b.test.ts',
    'c.test.ts',
    'a.test.ts',
  ])
})

test('the files that are known to be long exist, and come first on a new machine', () => {
  const files = chooseFiles({ tiers, changed: false, evidence: false, files: [] })
  const first = longestFirst(files, {}).slice(0, long_files.length)
  assert.deepEqual(first, [...long_files].sort())
})
