import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/**
 * zombie: the process has ended, and its parent has not waited for it yet. Some parents do so once
 * a second; in a container without an init process it stays forever.
 */
type FoundProcess = { state: 'alive'; parent_pid: number } | { state: 'zombie' | 'gone' }

export async function findProcess(pid: number): Promise<FoundProcess> {
  const [state, parent_pid] = (await readProcess(pid)).trim().split(/\s+/)
  if (!state || !parent_pid) return { state: 'gone' }
  if (/^[ZX]/.test(state)) return { state: 'zombie' }
  return { state: 'alive', parent_pid: Number(parent_pid) }
}

async function readProcess(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    // pid (name) state parent …; the name may contain spaces and parentheses, so cut at its end.
    return text.slice(text.lastIndexOf(')') + 1)
  }
  const args = ['-o', 'state=', '-o', 'ppid=', '-p', String(pid)]
  return promisify(execFile)('/bin/ps', args).then(
    ({ stdout }) => stdout,
    () => '',
  )
}
