// Every export is used, and every file and folder earns its place.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Tier, tierOf } from './support/choose-files.ts'
import { closureOf, importsOf, sourceFiles, unusedExports } from './support/source-tree.ts'

function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n')
}

function none(found: string[], reason: string): void {
  assert.equal(found.length, 0, `${reason}\n  ${found.join('\n  ')}`)
}

test('every export is imported by another file', () => {
  none(unusedExports(), 'Remove "export": readers assume a use elsewhere.')
})

const files = sourceFiles('src')

test('the drawing in ARCHITECTURE.md shows every entry of src', () => {
  const text = readFileSync('ARCHITECTURE.md', 'utf8')
  const drawing = text.slice(text.indexOf('\nsrc/\n'), text.indexOf('\nclient/'))
  const entries = readdirSync('src', { withFileTypes: true })
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
  none(
    names.filter((name) => !drawing.includes(` ${name}`)),
    'Add it to the drawing.',
  )
  const drawn = [...drawing.matchAll(/^ {2}((?:[a-z-]+\/ ?)+)/gm)].flatMap((row) =>
    row[1]!.trim().split(' '),
  )
  none(
    drawn.filter((name) => !names.includes(name)),
    'Remove it from the drawing.',
  )
})

test('every folder of src has at least two entries', () => {
  const folders = new Set(files.flatMap(foldersOf))
  const found = [...folders].filter((folder) => {
    const inside = files.filter((path) => path.startsWith(`${folder}/`))
    return new Set(inside.map((path) => path.slice(folder.length + 1).split('/')[0])).size === 1
  })
  none(found, 'A folder with one file is a file: move the file up.')
})

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

// Tests do not count: what they need can be exported from a larger file.
const product = ['src', 'web', 'client', 'mcp', 'bench', 'docs', 'bin', 'packaging']
  .flatMap((folder) => sourceFiles(folder))
  .filter((path) => !/\/(dist[^/]*|node_modules)\//.test(path))

test('a file of src under 25 lines has at least two importers', () => {
  const imported = product.flatMap((path) => [...new Set(importsOf(path))])
  const found = files
    .filter((path) => !path.endsWith('queries.ts'))
    .filter((path) => linesOf(path).length <= 25)
    .filter((path) => imported.filter((target) => target === path).length <= 1)
  none(found, 'Move it into its importer, or into a file of its folder with the same subject.')
})

// Generated files are excluded.
const everything = [
  ...[
    'src',
    'test',
    'bench',
    'bin',
    'docs',
    'migrations',
    'client',
    'mcp',
    'packaging',
    'examples',
  ].flatMap((folder) => sourceFiles(folder)),
  ...sourceFiles('web/dashboard/src'),
  'web/dashboard/build.ts',
  'web/dashboard/ensure-built.ts',
].filter((path) => !/^client\/(dist|src\/generated|node_modules)\//.test(path))

test('files have at most 400 lines, and lines at most 100 columns', () => {
  const long_files = everything.filter((path) => linesOf(path).length > 401)
  none(long_files, 'Split a file that is too long to keep in mind.')
  const long_lines = everything.flatMap((path) =>
    linesOf(path).flatMap((line, at) => (line.length > 100 ? [`${path}:${at + 1}`] : [])),
  )
  none(long_lines, 'Two files side by side must fit on one screen.')
})

test('file names are kebab-case and descriptive', () => {
  const vague = /^(utils?|helpers?|common|misc|service|manager|types|index)\./
  const shape = /^[a-z0-9_-]+((\.(browser|process|slow))?\.test|\.after|\.bench)?\.(tsx?|mjs|sql)$/
  const found = everything.filter((path) => {
    const name = path.split('/').at(-1)!
    return vague.test(name) || !shape.test(name)
  })
  none(found, 'Newcomers find files by name.')
})

test('the name of a test file states what its tests need', () => {
  const tests = sourceFiles('test', /\.test\.ts$/).filter((path) => !/^test\/smoke\//.test(path))
  const reaches = (path: string, wanted: (file: string) => boolean) =>
    [...closureOf(path)].filter((file) => file.startsWith('test/')).some(wanted)
  const opensPages = (file: string) => file === 'test/support/browser.ts'
  const startsPrograms = (file: string) => {
    // Git lists the changed files.
    if (file === 'test/support/choose-files.ts' || !existsSync(file)) return false
    return importsOf(file).includes('node:child_process')
  }
  const ofTier = (tier: Tier) => tests.filter((path) => tierOf(path) === tier)
  none(
    ofTier('default').filter((path) => reaches(path, opensPages) || reaches(path, startsPrograms)),
    'npm test must stay short: name the file x.browser.test.ts or x.process.test.ts.',
  )
  none(
    ofTier('process').filter((path) => reaches(path, opensPages)),
    'Tests that open pages are named x.browser.test.ts.',
  )
  none(
    ofTier('browser').filter((path) => !reaches(path, opensPages)),
    'Tests that open no page are named x.test.ts.',
  )
})

test('no test is skipped, focused or marked as todo', () => {
  const focused = /\b(it|test|describe)\.(only|skip|todo)\(/
  const found = sourceFiles('test').filter((path) => focused.test(readFileSync(path, 'utf8')))
  none(found, 'A test that does not run proves nothing.')
})

test('browser tests poll what they read from a page', () => {
  const reading = /assert\.\w+\(\s*\(?await [^\n]*?\.(count|isDisabled|allTextContents)\(\)/
  const found = sourceFiles('test').filter((path) => reading.test(readFileSync(path, 'utf8')))
  none(found, 'A busy machine renders later: use eventually() from test/support/eventually.ts.')
})
