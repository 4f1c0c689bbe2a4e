// Outlives the runner by a moment, however it ends, and removes what it leaves: processes, embedded
// databases and directories. The runner registers them over stdin; its end means that the runner
// has exited.

import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const pids = new Set<number>()
const directories = new Set<string>()

const commands: Record<string, (rest: string) => void> = {
  '+pid': (pid) => pids.add(Number(pid)),
  '-pid': (pid) => pids.delete(Number(pid)),
  '+dir': (path) => directories.add(path),
  '-dir': (path) => directories.delete(path),
}

// Ctrl-C is handled by the runner.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

for await (const line of createInterface({ input: process.stdin })) {
  const [command, ...rest] = line.split(' ')
  commands[command!]?.(rest.join(' '))
}
for (const pid of pids) end(pid)
for (const directory of directories) {
  end(databasePid(join(directory, 'data')))
  await remove(directory)
}

/** Retries, because a killed process may still write into the directory for a moment. */
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
    // It has already exited.
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
