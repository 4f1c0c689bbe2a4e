// A place where Florin has been started and stopped before. Its data are made once for a run and
// copied for each test that is not about a first start, which takes two seconds of processor time.

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { atProcessEnd } from '../support/process-end.ts'
import { run_path } from '../support/secrets.ts'
import { until } from '../support/until.ts'
import { type Installation, makeInstallation, runToEnd } from './florin-process.ts'

let made: Promise<string> | undefined
let own: string | undefined

// Said here and not in the test that first needs it, or its end would be the end of the place.
atProcessEnd(async () => {
  if (own !== undefined) await rm(own, { recursive: true, force: true })
})

export async function makeUsedInstallation(
  t: Parameters<typeof makeInstallation>[0],
): Promise<Installation> {
  made ??= run_path === undefined ? makeForProcess() : makeForRun(run_path)
  const place = await makeInstallation(t)
  // Owners are kept: where root runs it, the database is another user's.
  await promisify(execFile)('cp', ['-a', await made, place.data_path])
  return place
}

async function makeForProcess(): Promise<string> {
  own = await mkdtemp(join(tmpdir(), 'florin-used-'))
  return make(own)
}

/** One of its processes makes it, and the others wait. */
async function makeForRun(folder: string): Promise<string> {
  try {
    mkdirSync(join(folder, 'used-data-begun'))
  } catch {
    await until(() => existsSync(join(folder, 'used-data')))
    return join(folder, 'used-data')
  }
  return make(folder)
}

async function make(folder: string): Promise<string> {
  const making = join(folder, 'used-data-making')
  const ended = await runToEnd(['migrate'], { env: { FLORIN_DATA: making } })
  if (ended.code !== 0) throw new Error(`no data was made: ${ended.stdout}${ended.stderr}`)
  await rename(making, join(folder, 'used-data'))
  return join(folder, 'used-data')
}
