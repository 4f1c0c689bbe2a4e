// Generates client/src/generated and the types and methods of client-python from the OpenAPI
// document, and compiles the SDK to client/dist. All are committed, so that `npm install ./client`
// works in a fresh clone without a lifecycle script. `node client/generate.ts --check` writes
// nothing and fails if a file is stale.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type OpenApi, operationsOf } from './generator/openapi.ts'
import { printPythonResources } from './generator/print-python-resources.ts'
import { printPythonTypes } from './generator/print-python-types.ts'
import { printResources } from './generator/print-resources.ts'
import { printErrorCodes, printRequests, printSchemas } from './generator/print-schemas.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const generated = join(here, 'src/generated')
const generated_python = join(here, '../client-python/florin_client/_generated')
const dist = join(here, 'dist')
const source = new URL('../docs/reference/openapi.json', import.meta.url)
const api: OpenApi = JSON.parse(readFileSync(source, 'utf8'))
const operations = operationsOf(api)

if (process.argv.includes('--check')) check()
else write()

function write(): void {
  const files = printAll()
  writeAll(generated, files)
  writeAll(generated_python, printPython())
  rmSync(dist, { recursive: true, force: true })
  compileInto(dist)
  console.log(
    `Wrote ${files.size} files to client/src/generated, and client-python and client/dist`,
  )
}

function writeAll(folder: string, files: Map<string, string>): void {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of files) writeFileSync(join(folder, name), text)
}

function check(): void {
  reportStale('client/src/generated', printAll(), readAll(generated))
  // Python stores compiled files next to the source.
  const python = [...readAll(generated_python)].filter(([name]) => name.endsWith('.py'))
  reportStale('client-python', printPython(), new Map(python))
  const fresh = mkdtempSync(join(tmpdir(), 'florin-client-'))
  try {
    compileInto(fresh)
    reportStale('client/dist', readAll(fresh), readAll(dist))
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

function printPython(): Map<string, string> {
  return new Map([
    ['__init__.py', ''],
    ['types.py', printPythonTypes(api, operations)],
    ['resources.py', printPythonResources(operations)],
  ])
}

function printAll(): Map<string, string> {
  return new Map([
    ['schemas.ts', printSchemas(api)],
    ['requests.ts', printRequests(operations, api)],
    ['resources.ts', printResources(operations)],
    ['error-codes.ts', printErrorCodes(api)],
  ])
}

function compileInto(outDir: string): void {
  const tsc = join(here, '../node_modules/.bin/tsc')
  execFileSync(tsc, ['-p', here, '--outDir', outDir], { stdio: 'inherit' })
}

function reportStale(folder: string, fresh: Map<string, string>, found: Map<string, string>): void {
  const names = [...new Set([...fresh.keys(), ...found.keys()])]
  const stale = names.filter((name) => fresh.get(name) !== found.get(name))
  if (stale.length === 0) return
  console.error(`${folder} is stale: ${stale.join(', ')}.`)
  console.error('Run npx node client/generate.ts and commit the result.')
  process.exitCode = 1
}

function readAll(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  return new Map(files.map((path) => [relative(folder, path), readFileSync(path, 'utf8')]))
}
