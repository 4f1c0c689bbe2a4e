// Writes client/src/generated from the OpenAPI file. `node client/generate.ts --check` writes
// nothing and fails when a file is stale.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type OpenApi, operationsOf } from './generator/openapi.ts'
import { printResources } from './generator/print-resources.ts'
import { printErrorCodes, printRequests, printSchemas } from './generator/print-schemas.ts'

const folder = new URL('./src/generated/', import.meta.url)
const source = new URL('../docs/reference/openapi.json', import.meta.url)
const api: OpenApi = JSON.parse(readFileSync(source, 'utf8'))
const operations = operationsOf(api)

const files: Record<string, string> = {
  'schemas.ts': printSchemas(api),
  'requests.ts': printRequests(operations),
  'resources.ts': printResources(operations),
  'error-codes.ts': printErrorCodes(api),
}

const stale = Object.keys(files).filter((name) => read(name) !== files[name])

if (!process.argv.includes('--check')) {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(new URL(name, folder), text)
  console.log(`Wrote ${Object.keys(files).length} files in client/src/generated`)
} else if (stale.length > 0) {
  console.error(`client/src/generated does not match the OpenAPI file: ${stale.join(', ')}.`)
  console.error('Run npx node client/generate.ts and commit what it wrote.')
  process.exitCode = 1
}

function read(name: string): string | undefined {
  try {
    return readFileSync(new URL(name, folder), 'utf8')
  } catch {
    return undefined
  }
}
