// The contract of test-context.ts: in a process that shares test files, tests and their hooks
// belong to the file that creates them, and errors that no test catches fail the run.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { writeEntries } from './shared-entries.ts'

/** Runs test files with these texts in one shared process. */
async function runFiles(t: TestContext, texts: string[]) {
  const run_path = await mkdtemp(join(tmpdir(), 'florin-shared-'))
  t.after(() => rm(run_path, { recursive: true }))
  const files = texts.map((_, at) => join(run_path, `file-${at}.test.mjs`))
  const imports = `import { after, afterEach, test } from 'node:test'\n`
  for (const [at, file] of files.entries()) await writeFile(file, imports + texts[at])
  const [entry] = await writeEntries(run_path, { files, each: files.length })
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, [entry!], { env: { ...env, FLORIN_TEST_RUN: run_path } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      output += bytes
    })
  }
  const code = await new Promise((resolve) => child.on('close', resolve))
  return { code, output }
}

const pause = 'await new Promise((resolve) => setTimeout(resolve, 5))'
const inTest = (statement: string) => `test('one', async () => {\n${statement}\n${pause}\n})\n`

test('tests and hooks belong to their file or test, also after waiting', async (t) => {
  const file = (name: string) => `
    ${pause}
    after(() => console.log('LOG ${name} after'))
    afterEach(() => console.log('LOG ${name} each'))
    test('first', async (t) => {
      ${pause}
      after(() => console.log('LOG ${name} first after'))
      await t.test('inner', () => console.log('LOG ${name} inner'))
    })
    ${pause}
    test('second', () => console.log('LOG ${name} second'))
  `
  const { code, output } = await runFiles(t, [file('a'), file('b')])
  assert.equal(code, 0, output)
  const lines = [...output.matchAll(/LOG (.*)/g)].map(([, line]) => line)
  const expected = ['inner', 'each', 'each', 'first after', 'second', 'each', 'after']
  assert.deepEqual(
    lines,
    ['a', 'b'].flatMap((name) => expected.map((line) => `${name} ${line}`)),
  )
})

for (const [what, statement] of Object.entries({
  'a failed test': `throw new Error('left over')`,
  'an unhandled rejection': `Promise.reject(new Error('left over'))`,
  'an uncaught exception': `setImmediate(() => { throw new Error('left over') })`,
})) {
  test(`${what} fails the run and is reported`, async (t) => {
    const { code, output } = await runFiles(t, [inTest(statement), inTest('')])
    assert.equal(code, 1, output)
    assert.match(output, /left over/)
  })
}
