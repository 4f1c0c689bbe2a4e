// Outlives the runner by a moment, whatever ends it, and takes along what it leaves: processes by
// their ids, embedded databases by their directories, and the directories themselves. It is told on
// its standard input, whose end is the end of the runner.

import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

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
  rmSync(directory, { recursive: true, force: true })
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
