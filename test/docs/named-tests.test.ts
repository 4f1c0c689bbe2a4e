// Checks that tests and files named in the documentation exist.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

for (const [page, min] of [
  ['SECURITY.md', 25],
  ['docs/concepts/host-failures.md', 5],
  ['docs/concepts/reliability.md', 20],
] as const) {
  test(`every test named in ${page} exists`, () => {
    const text = readFileSync(`${root}/${page}`, 'utf8')
    const named = [...new Set(text.match(/\btest\/[\w./-]+\.ts\b/g))]
    assert.ok(named.length >= min, `only ${named.length} are named`)
    assert.deepEqual(
      named.filter((path) => !existsSync(`${root}/${path}`)),
      [],
    )
  })
}

test('every file named in ARCHITECTURE.md exists', () => {
  const text = readFileSync(`${root}/ARCHITECTURE.md`, 'utf8')
  const named = text.matchAll(/`((?:[\w-]+\/)+[\w-]+\.(?:ts|mjs|sql))`/g)
  const paths = [...new Set(named.map(([, path]) => path!))]
  assert.ok(paths.length >= 20, `only ${paths.length} are named`)
  assert.deepEqual(
    paths.filter((path) => !existsSync(`${root}/src/${path}`) && !existsSync(`${root}/${path}`)),
    [],
  )
})

test('decision records are listed, numbered without gaps and under 40 lines', () => {
  const folder = `${root}/docs/decisions`
  const files = readdirSync(folder).filter((name) => name !== 'README.md')
  assert.ok(files.length >= 30, `only ${files.length} are there`)
  const lines = files.sort().map((name, at) => {
    const text = readFileSync(`${folder}/${name}`, 'utf8')
    const [, number, title] = /^# (\d+)\. (.+)\n/.exec(text)!
    assert.deepEqual([Number(name.slice(0, 4)), Number(number)], [at + 1, at + 1], name)
    assert.ok(text.split('\n').length <= 40, `${name} has 40 lines or more`)
    return `${number}. [${title}](${name})`
  })
  const listed = readFileSync(`${folder}/README.md`, 'utf8').match(/^\d+\. .+$/gm)
  assert.deepEqual(listed, lines)
})

test('every threat has a mitigation and a test', () => {
  const [, table] = readFileSync(`${root}/SECURITY.md`, 'utf8').split('## Threat model')
  const rows = table!
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| threat/.test(line))
  for (const row of rows) assert.match(row, /^\| [^|]+ \| [^|]+ \| `test\/[^|]+\.ts` \|$/)
})
