// A cgroup with a memory limit, as a container runtime or service manager sets one for a server.
// Only root can create it, and only where the system supports it.

import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

export interface MemoryCgroup {
  /** Command prefix that starts a process inside the cgroup. */
  under: string[]
  /** How many of its processes the kernel has killed. */
  kills(): number
}

/** `group` is undefined if none can be created; then `why` has the reason. */
export function makeMemoryCgroup(
  t: TestContext,
  limit_bytes: number,
): { group: MemoryCgroup | undefined; why: string } {
  const kind = kinds.find(({ isAvailable }) => isAvailable())
  if (kind === undefined) {
    return { group: undefined, why: 'this system has no usable memory cgroup' }
  }
  const path = join(kind.root, `florin-test-${process.pid}`)
  try {
    mkdirSync(path)
    t.after(() => removeWhenEmpty(path))
    kind.limit(path, String(limit_bytes))
  } catch (error) {
    return { group: undefined, why: `failed to create a cgroup: ${error}` }
  }
  // $0 is the cgroup, the rest is the command.
  const enter = 'echo $$ > "$0/cgroup.procs" && exec "$@"'
  const under = ['/bin/sh', '-c', enter, path]
  return { group: { under, kills: () => kind.kills(path) }, why: '' }
}

interface GroupKind {
  root: string
  isAvailable(): boolean
  limit(path: string, bytes: string): void
  kills(path: string): number
}

const read = (path: string) => readFileSync(path, 'utf8')

function countIn(text: string): number {
  return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0)
}

const cgroup_v2: GroupKind = {
  root: '/sys/fs/cgroup',
  isAvailable: () => {
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

const cgroup_v1: GroupKind = {
  root: '/sys/fs/cgroup/memory',
  isAvailable: () => existsSync('/sys/fs/cgroup/memory/memory.limit_in_bytes'),
  limit: (path, bytes) => {
    writeFileSync(join(path, 'memory.limit_in_bytes'), bytes)
    const with_swap = join(path, 'memory.memsw.limit_in_bytes')
    if (existsSync(with_swap)) writeFileSync(with_swap, bytes)
  },
  kills: (path) => countIn(read(join(path, 'memory.oom_control'))),
}

const kinds = [cgroup_v2, cgroup_v1]

// A process that has just exited may still be counted for a moment.
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
