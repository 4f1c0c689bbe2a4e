// Where the kernel tells the memory of a control group, in either version, on a host and inside a
// container. The files are made here as the kernel writes them.

import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readControlGroup } from '../../src/commands/control-group.ts'

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

const second_stat = statOf({ anon: 100 * mb, file: 300 * mb, shmem: 20 * mb, anon_thp: 4 * mb })
const first_stat = statOf({ rss: mb, total_rss: 100 * mb, total_shmem: 20 * mb, total_cache: mb })
const expected = { limit: 512 * mb, used: 120 * mb }

test('a service of the second version, without the files that the kernel can drop', async (t) => {
  const system = await systemWith(t, {
    'proc/self/cgroup': '0::/system.slice/florin.service\n',
    'sys/fs/cgroup/system.slice/florin.service/memory.max': `${512 * mb}\n`,
    'sys/fs/cgroup/system.slice/florin.service/memory.stat': second_stat,
  })
  assert.deepEqual(readControlGroup(system), expected)
})

test('a container of the second version sees its own group as the root', async (t) => {
  for (const path of ['/', '/../0b61c5']) {
    const system = await systemWith(t, {
      'proc/self/cgroup': `0::${path}\n`,
      'sys/fs/cgroup/memory.max': `${512 * mb}\n`,
      'sys/fs/cgroup/memory.stat': second_stat,
    })
    assert.deepEqual(readControlGroup(system), expected)
  }
})

test('the first version, on a host and where a container sees the path of its host', async (t) => {
  for (const folder of ['memory/docker/0b61c5', 'memory']) {
    const system = await systemWith(t, {
      'proc/self/cgroup': '5:devices:/docker/0b61c5\n4:memory:/docker/0b61c5\n0::/\n',
      [`sys/fs/cgroup/${folder}/memory.limit_in_bytes`]: `${512 * mb}\n`,
      [`sys/fs/cgroup/${folder}/memory.stat`]: first_stat,
    })
    assert.deepEqual(readControlGroup(system), expected)
  }
})

test('without a limit there is nothing to watch', async (t) => {
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
