// A control group of the system with a limit of memory: what a container or a service manager puts
// around a server. Only root can make one, and only where the system has it.

import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

export interface MemoryCgroup {
  /** Put before a command, it starts inside the group. */
  under: string[]
  /** How often the kernel ended a process of it. */
  kills(): number
}

/** Undefined where there is none; then `why` says so. */
export function makeMemoryCgroup(
  t: TestContext,
  limit_bytes: number,
): { group: MemoryCgroup | undefined; why: string } {
  const kind = kinds.find(({ isThere }) => isThere())
  if (kind === undefined) {
    return { group: undefined, why: 'this system has no control groups of memory for us' }
  }
  const path = join(kind.root, `florin-test-${process.pid}`)
  try {
    mkdirSync(path)
    t.after(() => removeWhenEmpty(path))
    kind.limit(path, String(limit_bytes))
  } catch (error) {
    return { group: undefined, why: `a control group could not be made: ${error}` }
  }
  // $0 is the group, the rest is the command.
  const enter = 'echo $$ > "$0/cgroup.procs" && exec "$@"'
  const under = ['/bin/sh', '-c', enter, path]
  return { group: { under, kills: () => kind.kills(path) }, why: '' }
}

interface GroupKind {
  root: string
  isThere(): boolean
  limit(path: string, bytes: string): void
  kills(path: string): number
}

const read = (path: string) => readFileSync(path, 'utf8')

function countIn(text: string): number {
  return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0)
}

const second: GroupKind = {
  root: '/sys/fs/cgroup',
  isThere: () => {
    const controllers = '/sys/fs/cgroup/cgroup.subtree_control'
    return existsSync(controllers) && /\bmemory\b/.test(read(controllers))
  },
  limit: (path, bytes) => {
    writeFileSync(join(path, 'memory.max'), bytes)
    const swap = join(path, 'memory.swap.max')
    if (existsSync(swap)) writeFileSync(swap, '0')
  },
  kills: (path) => countIn(read(join(path, 'memory.events'))),
}

const first: GroupKind = {
  root: '/sys/fs/cgroup/memory',
  isThere: () => existsSync('/sys/fs/cgroup/memory/memory.limit_in_bytes'),
  limit: (path, bytes) => {
    writeFileSync(join(path, 'memory.limit_in_bytes'), bytes)
    const with_swap = join(path, 'memory.memsw.limit_in_bytes')
    if (existsSync(with_swap)) writeFileSync(with_swap, bytes)
  },
  kills: (path) => countIn(read(join(path, 'memory.oom_control'))),
}

const kinds = [second, first]

// A process that has just ended may still be counted for a moment.
async function removeWhenEmpty(path: string): Promise<void> {
  for (let attempts_left = 50; ; attempts_left--) {
    try {
      return rmdirSync(path)
    } catch (error) {
      if (attempts_left === 0) throw error
      await sleep(100)
    }
  }
}
