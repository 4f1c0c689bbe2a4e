// An installation with an initialized database. It is created once per test run and copied for each
// test that is not about the first start, because creating one takes two seconds of CPU time.

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { atProcessEnd } from '../support/process-end.ts'
import { until } from '../support/until.ts'
import { type Installation, makeInstallation, runToEnd } from './florin-process.ts'

let source: Promise<string> | undefined
let own: string | undefined

// Registered here, not in the first test that needs it: the end of that test would remove the data.
atProcessEnd(async () => {
  if (own !== undefined) await rm(own, { recursive: true, force: true })
})

export async function makeUsedInstallation(
  t: Parameters<typeof makeInstallation>[0],
): Promise<Installation> {
  const installation = await makeInstallation(t)
  await copyUsedData(installation.data_path)
  return installation
}

/** Copies the stopped database to a path that does not exist yet. */
export async function copyUsedData(data_path: string): Promise<void> {
  const run_path = process.env.FLORIN_TEST_RUN
  source ??= run_path === undefined ? makeForProcess() : makeForRun(run_path)
  // Keeps file owners: if root runs the tests, another user owns the database.
  await promisify(execFile)('cp', ['-a', await source, data_path])
}

async function makeForProcess(): Promise<string> {
  own = await mkdtemp(join(tmpdir(), 'florin-used-'))
  return make(own)
}

/** One process of the test run creates the data, and the others wait. */
async function makeForRun(folder: string): Promise<string> {
  try {
    mkdirSync(join(folder, 'used-data-started'))
  } catch {
    await until(() => existsSync(join(folder, 'used-data')))
    return join(folder, 'used-data')
  }
  return make(folder)
}

async function make(folder: string): Promise<string> {
  const making = join(folder, 'used-data-making')
  const ended = await runToEnd(['migrate'], { env: { FLORIN_DATA: making } })
  if (ended.code !== 0) throw new Error(`failed to create the data: ${ended.stdout}${ended.stderr}`)
  await rename(making, join(folder, 'used-data'))
  return join(folder, 'used-data')
}
