// One of the processes that share all test files. Each takes the next file when it finishes one,
// so a slow file delays no other, and the server code is warm after the first. The memory of
// finished files is not released, so a process that has grown takes no further file.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe } from 'node:test'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { cpuSeconds } from './cpu-time.ts'
import type { FileDuration } from './durations.ts'
import { runAndClose } from './process-end.ts'
import type { FileQueue } from './shared-entries.ts'

const run_path = process.env.FLORIN_TEST_RUN!
const { files, each }: FileQueue = JSON.parse(readFileSync(join(run_path, 'queue.json'), 'utf8'))

const claimed: string[] = []
// Six of them fit on a machine with 8 GB. A new process costs two seconds of CPU.
const rss_max = Math.max(700e6, process.availableMemory() / 12)
// A file that hangs must not use up the time of the whole run.
const file_timeout_ms = process.env.FLORIN_LONG ? Number.POSITIVE_INFINITY : 1_200_000

// Shrinking a failed random test took twelve minutes. The seed and path that a failure prints
// reproduce it in a run of that file alone, which shrinks it.
fc.configureGlobal({ endOnFailure: true })

await runAndClose(async () => {
  for (const [at, file] of files.entries()) {
    if (claimed.length >= each && process.memoryUsage.rss() > rss_max) return
    if (!claim(at)) continue
    claimed.push(file)
    // Hooks of the file belong to this suite, so its setup and cleanup apply to this file only.
    const [started, cpu_before] = [performance.now(), cpuSeconds() ?? 0]
    const options = { timeout: file_timeout_ms }
    await describe(file, options, () => import(pathToFileURL(resolve(file)).href))
    const elapsed_s = (performance.now() - started) / 1000
    const duration: FileDuration = { elapsed_s, cpu_s: (cpuSeconds() ?? 0) - cpu_before }
    writeFileSync(join(run_path, `ended-${at}`), JSON.stringify(duration))
  }
})

// An unreferenced timer: it fires only if an open handle keeps the process running.
setTimeout(() => {
  console.error(
    `HANDLES STILL OPEN: a timer, socket or process was left by one of ${claimed.join(', ')}`,
  )
  process.exit(1)
}, 60_000).unref()

/** Claims a file. Returns true in exactly one process. */
function claim(at: number): boolean {
  try {
    mkdirSync(join(run_path, `claimed-${at}`))
    return true
  } catch {
    return false
  }
}
