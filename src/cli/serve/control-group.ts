// Reads the memory limit of this process's control group, set by a container or a service manager,
// and the memory used by all its processes: server, worker and embedded database.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface ControlGroup {
  limit: number
  /** Memory that the kernel cannot reclaim; the page cache is not counted. */
  used: number
}

interface Version {
  /** Matches the line of /proc/self/cgroup with the path of our group. */
  line: RegExp
  /** Directory of all groups. */
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

/** Undefined without a limit. */
export function readControlGroup(system = '/'): ControlGroup | undefined {
  try {
    const groups = readFileSync(join(system, 'proc/self/cgroup'), 'utf8')
    return versions.map((version) => readVersion(system, version, groups)).find((group) => group)
  } catch {
    // Not Linux, or no permission.
    return undefined
  }
}

function readVersion(system: string, version: Version, groups: string): ControlGroup | undefined {
  const path = version.line.exec(groups)?.[1]
  if (path === undefined) return
  const root = join(system, version.root)
  // In a container its group is mounted as the root, regardless of the path.
  const folder = [join(root, path), root].find((it) => existsSync(join(it, version.limit)))
  if (folder === undefined) return
  const limit = Number(readFileSync(join(folder, version.limit), 'utf8'))
  // No limit is 'max' (NaN) in cgroup v2 and a huge number in v1.
  if (!(limit < Number.MAX_SAFE_INTEGER)) return
  const counts = readFileSync(join(folder, 'memory.stat'), 'utf8').matchAll(version.counted)
  return { limit, used: counts.reduce((sum, [, bytes]) => sum + Number(bytes), 0) }
}
