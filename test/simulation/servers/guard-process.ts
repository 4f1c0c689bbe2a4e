// Outlives the runner by a moment, whatever ends it, and takes along what it leaves: processes by
// their ids, embedded databases by their directories, and the directories themselves. It is told on
// its standard input, whose end is the end of the runner.

import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const pids = new Set<number>()
const directories = new Set<string>()

const acts: Record<string, (rest: string) => void> = {
  '+pid': (pid) => pids.add(Number(pid)),
  '-pid': (pid) => pids.delete(Number(pid)),
  '+dir': (path) => directories.add(path),
  '-dir': (path) => directories.delete(path),
}

// Ctrl-C is for the runner, which has better ways to stop.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

for await (const line of createInterface({ input: process.stdin })) {
  const [word, ...rest] = line.split(' ')
  acts[word!]?.(rest.join(' '))
}
for (const pid of pids) end(pid)
for (const directory of directories) {
  end(databasePid(join(directory, 'data')))
  await remove(directory)
}

/** What was ended may write its last for a moment, into a folder that was about to be empty. */
async function remove(directory: string): Promise<void> {
  for (let attempts_left = 100; ; attempts_left--) {
    try {
      rmSync(directory, { recursive: true, force: true })
      return
    } catch (error) {
      if (attempts_left === 0) throw error
    }
    await sleep(100)
  }
}

function end(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
  } catch {
    // It has gone already.
  }
}

function databasePid(data_path: string): number | undefined {
  try {
    const first = readFileSync(join(data_path, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]
    return Number(first) > 1 ? Number(first) : undefined
  } catch {
    return undefined
  }
}
