// Compilation for the packages; contents.process.test.ts compares the packed files.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile } from '../../packaging/compile.ts'

test('imports are rewritten in every form, and text is not', () => {
  const source = [
    "import { version } from './version.ts'",
    "export { version } from './version.ts'",
    "import './version.ts'",
    "const { start } = await import('./server.ts') as object",
    "const text = 'see ./version.ts'",
  ]
  assert.deepEqual(compile(source.join('\n'), 'src/example.ts').split('\n'), [
    "import { version } from './version.js'",
    "export { version } from './version.js'",
    "import './version.js'",
    "const { start } = await import('./server.js')          ",
    "const text = 'see ./version.ts'",
  ])
})

test('an import of a file that does not exist is an error', () => {
  assert.throws(() => compile("import './missing.ts'", 'src/example.ts'), /src\/missing\.ts/)
})
