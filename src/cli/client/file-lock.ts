// A lock file, so that one command at a time changes the stored logins. A refresh token works once:
// two commands that refreshed the same session concurrently would end it.

import { open, readFile, rm, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

// A lock is held for one request at most. An older lock, or one whose process exited, was left by
// a command that was killed.
const stale_ms = 30_000
const poll_ms = 20

export async function withLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  await acquire(path)
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

async function acquire(path: string): Promise<void> {
  for (;;) {
    try {
      const file = await open(path, 'wx', 0o600)
      await file.writeFile(String(process.pid)).finally(() => file.close())
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    if (await isStale(path)) await rm(path, { force: true })
    else await sleep(poll_ms)
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > stale_ms) return true
    const pid = Number(await readFile(path, 'utf8'))
    // A new lock file is empty until its pid is written.
    return pid > 0 && !isAlive(pid)
  } catch {
    // Removed meanwhile: the next attempt can acquire it.
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
