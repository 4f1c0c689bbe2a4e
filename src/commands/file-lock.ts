// One command at a time changes the file of log-ins. A refresh token works once: two commands that
// renewed the same session at once would end it.

import { open, readFile, rm, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

// A renewal takes milliseconds, and at the worst as long as a request may. A lock that is older, or
// whose process is gone, was left behind by a command that was killed.
const left_behind_ms = 30_000
const look_every_ms = 20

export async function withLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  await take(path)
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

async function take(path: string): Promise<void> {
  for (;;) {
    try {
      const file = await open(path, 'wx', 0o600)
      await file.writeFile(String(process.pid)).finally(() => file.close())
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    if (await isLeftBehind(path)) await rm(path, { force: true })
    else await sleep(look_every_ms)
  }
}

async function isLeftBehind(path: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > left_behind_ms) return true
    const pid = Number(await readFile(path, 'utf8'))
    // Just made, and its number not written yet.
    return pid > 0 && !isAlive(pid)
  } catch {
    // Gone meanwhile: the next try finds out.
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
