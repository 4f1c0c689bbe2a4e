// Reading cgroup v1 and v2 memory limits, on a host and in a container. The tests write the files
// as the kernel does.

import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readControlGroup } from '../../src/cli/serve/control-group.ts'

const mb = 1024 * 1024

async function systemWith(t: TestContext, files: Record<string, string>): Promise<string> {
  const system = await mkdtemp(join(tmpdir(), 'florin groups '))
  t.after(() => rm(system, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(system, path)), { recursive: true })
    await writeFile(join(system, path), text)
  }
  return system
}

const statOf = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([name, bytes]) => `${name} ${bytes}\n`)
    .join('')

const v2_stat = statOf({ anon: 100 * mb, file: 300 * mb, shmem: 20 * mb, anon_thp: 4 * mb })
const v1_stat = statOf({ rss: mb, total_rss: 100 * mb, total_shmem: 20 * mb, total_cache: mb })
const expected = { limit: 512 * mb, used: 120 * mb }

test('cgroup v2 service: does not count the page cache', async (t) => {
  const system = await systemWith(t, {
    'proc/self/cgroup': '0::/system.slice/florin.service\n',
    'sys/fs/cgroup/system.slice/florin.service/memory.max': `${512 * mb}\n`,
    'sys/fs/cgroup/system.slice/florin.service/memory.stat': v2_stat,
  })
  assert.deepEqual(readControlGroup(system), expected)
})

test('cgroup v2 container: its group is the root', async (t) => {
  for (const path of ['/', '/../0b61c5']) {
    const system = await systemWith(t, {
      'proc/self/cgroup': `0::${path}\n`,
      'sys/fs/cgroup/memory.max': `${512 * mb}\n`,
      'sys/fs/cgroup/memory.stat': v2_stat,
    })
    assert.deepEqual(readControlGroup(system), expected)
  }
})

test('cgroup v1: on a host, and in a container that sees the path of its host', async (t) => {
  for (const folder of ['memory/docker/0b61c5', 'memory']) {
    const system = await systemWith(t, {
      'proc/self/cgroup': '5:devices:/docker/0b61c5\n4:memory:/docker/0b61c5\n0::/\n',
      [`sys/fs/cgroup/${folder}/memory.limit_in_bytes`]: `${512 * mb}\n`,
      [`sys/fs/cgroup/${folder}/memory.stat`]: v1_stat,
    })
    assert.deepEqual(readControlGroup(system), expected)
  }
})

test('returns undefined without a limit', async (t) => {
  const without = [
    {},
    { 'proc/self/cgroup': '0::/\n' },
    { 'proc/self/cgroup': '0::/\n', 'sys/fs/cgroup/memory.max': 'max\n' },
    {
      'proc/self/cgroup': '4:memory:/\n0::/\n',
      'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
    },
  ]
  for (const files of without) {
    assert.equal(readControlGroup(await systemWith(t, files)), undefined, JSON.stringify(files))
  }
})
