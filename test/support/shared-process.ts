// One of the processes that run all test files between them. Each takes the next file when it is
// done with the last, so that a slow one holds up nobody else, and the server is loaded, compiled
// and warm after the first. A few files each: what they leave in memory stays there.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe } from 'node:test'
import { pathToFileURL } from 'node:url'
import { runAndClose } from './process-end.ts'
import type { SharedRun } from './run.ts'

const run_path = process.env.FLORIN_TEST_RUN!
const { files, each }: SharedRun = JSON.parse(readFileSync(join(run_path, 'shared.json'), 'utf8'))

const taken: string[] = []

await runAndClose(async () => {
  for (const [at, file] of files.entries()) {
    if (taken.length === each) return
    if (!take(at)) continue
    taken.push(file)
    // Its hooks are those of this suite, so that it sets up and clears away for itself alone.
    await describe(file, () => import(pathToFileURL(resolve(file)).href))
    writeFileSync(join(run_path, `ended-${at}`), '')
  }
})

// Not reached where nothing is left open: this alone keeps no process from ending.
setTimeout(() => {
  console.error(`STILL OPEN: one of these left a timer, a socket or a process: ${taken.join(', ')}`)
  process.exit(1)
}, 60_000).unref()

/** True for one of all who ask. */
function take(at: number): boolean {
  try {
    mkdirSync(join(run_path, `taken-${at}`))
    return true
  } catch {
    return false
  }
}
