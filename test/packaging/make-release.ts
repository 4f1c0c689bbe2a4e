// `npm run release` on a copy of this tree, in a repository with one commit. The files of a run
// share the result, because packing takes 17 seconds of CPU time.

import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../support/source-tree.ts'

interface Result {
  code: number
  stdout: string
  stderr: string
}

interface Release {
  /** Contains the copy and the folders of releases. */
  path: string
  copy: string
  /** What the first release printed; its files are in the folder `first`. */
  first: Result
}

const run_path = process.env.FLORIN_TEST_RUN

/** Makes the release, or waits for the test file that is making it. */
export async function makeRelease(): Promise<Release> {
  const path = run_path ? join(run_path, 'florin release') : makeFolder()
  const copy = join(path, 'florin')
  const ended = join(path, 'ended.json')
  if (!run_path || claim(path)) {
    copyTree(copy)
    const first = await release(path, 'first')
    // Renamed, so that another file never reads a part of it.
    writeFileSync(`${ended}.part`, JSON.stringify(first))
    renameSync(`${ended}.part`, ended)
  }
  for (let attempts_left = 1_000; !existsSync(ended); attempts_left--) {
    if (attempts_left === 0) throw new Error('The release was not made within 500 seconds.')
    await sleep(500)
  }
  return { path, copy, first: JSON.parse(readFileSync(ended, 'utf8')) }
}

function makeFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'florin release '))
  after(() => rm(path, { recursive: true, force: true }))
  return path
}

/** Returns true in exactly one process. */
function claim(path: string): boolean {
  try {
    mkdirSync(path)
    return true
  } catch {
    return false
  }
}

export const author = ['-c', 'user.name=Florin', '-c', 'user.email=florin@florin.example']

function copyTree(copy: string): void {
  const tracked = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const files = execFileSync('git', tracked, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })
  for (const path of [...files.split('\0').slice(0, -1), 'web/dashboard/dist']) {
    // A file that was removed and not committed is still listed.
    if (!existsSync(join(root, path))) continue
    cpSync(join(root, path), join(copy, path), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const git = (...args: string[]) => execFileSync('git', args, { cwd: copy })
  git('init', '--quiet')
  git('add', '--all')
  git(...author, 'commit', '--quiet', '--message', 'release')
}

/** Runs the command of the copy, with a folder next to it. */
export function release(path: string, folder: string): Promise<Result> {
  const args = ['packaging/release.ts', join(path, folder)]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: join(path, 'florin') }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}
