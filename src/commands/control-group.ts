// How much memory the control group has that we are in, as a container or a service manager sets
// it, and how much of it is used: ours, the worker's and the embedded database's together.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface ControlGroup {
  limit: number
  /** What the kernel cannot take back; files that it keeps in memory are not counted. */
  used: number
}

interface Version {
  /** The line of /proc/self/cgroup with our path, and where the groups lie. */
  line: RegExp
  root: string
  limit: string
  counted: RegExp
}

const versions: Version[] = [
  {
    line: /^0::(.*)$/m,
    root: 'sys/fs/cgroup',
    limit: 'memory.max',
    counted: /^(?:anon|shmem) (\d+)$/gm,
  },
  {
    line: /^\d+:memory:(.*)$/m,
    root: 'sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    counted: /^total_(?:rss|shmem) (\d+)$/gm,
  },
]

/** Undefined where there is no limit. */
export function readControlGroup(system = '/'): ControlGroup | undefined {
  try {
    const mine = readFileSync(join(system, 'proc/self/cgroup'), 'utf8')
    return versions.map((version) => readVersion(system, version, mine)).find((group) => group)
  } catch {
    // Not on Linux, or not ours to read.
    return undefined
  }
}

function readVersion(system: string, version: Version, mine: string): ControlGroup | undefined {
  const path = version.line.exec(mine)?.[1]
  if (path === undefined) return
  const root = join(system, version.root)
  // Inside a container its own group is the root of what it sees, whatever the path says.
  const folder = [join(root, path), root].find((it) => existsSync(join(it, version.limit)))
  if (folder === undefined) return
  const limit = Number(readFileSync(join(folder, version.limit), 'utf8'))
  // 'max' is no number, and the first version says a number beyond all memory.
  if (!(limit < Number.MAX_SAFE_INTEGER)) return
  const counts = readFileSync(join(folder, 'memory.stat'), 'utf8').matchAll(version.counted)
  return { limit, used: counts.reduce((sum, [, bytes]) => sum + Number(bytes), 0) }
}
