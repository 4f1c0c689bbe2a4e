// This version as it is packed, and a next version that is made from it: a higher number, a
// migration that runs alongside this version, and one that waits for the end of the upgrade.

import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { promisify } from 'node:util'
import { stageServer } from '../../packaging/stage.ts'
import { knownMigrations } from '../../src/postgres/migrate.ts'
import { version } from '../../src/version.ts'

const run = promisify(execFile)

interface PackedVersion {
  launcher: string
  version: string
  migrations: string[]
}

/** Unpacks a tarball, or what `npm run pack` makes of this tree. It contains its dependencies. */
export async function unpackVersion(directory: string, tarball?: string): Promise<PackedVersion> {
  const florin = join(directory, 'node_modules/florin')
  await mkdir(florin, { recursive: true })
  if (tarball) await run('tar', ['-xzf', tarball, '--strip-components=1'], { cwd: florin })
  else stageServer(florin)
  const { version } = JSON.parse(await readFile(join(florin, 'package.json'), 'utf8'))
  const migrations = (await readdir(join(florin, 'migrations'))).map((file) => parse(file).name)
  return { launcher: join(florin, 'bin/florin.mjs'), version, migrations }
}

interface NextVersion {
  launcher: string
  version: string
  /** Its migrations that this version does not have. */
  applied: string[]
  waiting: string[]
}

export async function makeNextVersion(directory: string): Promise<NextVersion> {
  const tree = join(directory, 'next')
  await mkdir(tree)
  stageServer(tree)
  const [major, minor] = version.split('.').map(Number)
  const series = `${major}.${minor! + 1}`
  const manifest = JSON.parse(await readFile(join(tree, 'package.json'), 'utf8'))
  const text = JSON.stringify({ ...manifest, version: `${series}.0` })
  await writeFile(join(tree, 'package.json'), text)
  const last = knownMigrations().at(-1)!
  const put = (name: string, sql: string) => writeFile(join(tree, 'migrations', `${name}.sql`), sql)
  await put(
    '8888_next',
    `-- runs alongside: ${last}\n\nalter table transactions add column next_note text;\n`,
  )
  await put(
    '9999_finish_next',
    `-- runs alongside: 8888_next\n-- contract: ${series}\n\n` +
      `alter table transactions drop column next_note;\n`,
  )
  const launcher = join(tree, 'bin/florin.mjs')
  return { launcher, version: `${series}.0`, applied: ['8888_next'], waiting: ['9999_finish_next'] }
}
