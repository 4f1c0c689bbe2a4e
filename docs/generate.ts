// Writes the files under docs/ that are made from the code. `node docs/generate.ts --check` writes
// nothing and fails when one is stale.

import { readFileSync, writeFileSync } from 'node:fs'
import { pino } from 'pino'
import { readConfig } from '../src/config.ts'
import { buildApp } from '../src/http/app.ts'
import { openDatabase } from '../src/postgres/database.ts'
import { version } from '../src/version.ts'

const file = new URL('./reference/openapi.json', import.meta.url)
const fresh = await describe()

if (!process.argv.includes('--check')) {
  writeFileSync(file, fresh)
  console.log('Wrote docs/reference/openapi.json')
} else if (fresh !== read()) {
  console.error('docs/reference/openapi.json does not match the code.')
  console.error('Run npx node docs/generate.ts and commit what it wrote.')
  process.exitCode = 1
}

// With the defaults of a fresh machine, and a database that is never asked: no client of the pool
// connects before the first query.
async function describe(): Promise<string> {
  const db = openDatabase({ host: '/nowhere' })
  const log = pino({ level: 'silent' })
  const app = await buildApp({ db, log, config: readConfig({}), version })
  const text = `${JSON.stringify(app.swagger(), null, 2)}\n`
  await app.close()
  await db.close()
  return text
}

function read(): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
