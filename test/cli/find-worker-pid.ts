import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Waits for the worker of this server, other than the `known` one, and returns its pid. */
export async function findWorkerPid(server_pid: number, known?: number): Promise<number> {
  const deadline_ms = Date.now() + 15_000
  while (Date.now() < deadline_ms) {
    const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,args='])
    const found = stdout
      .split('\n')
      .map((line) => /^\s*(\d+)\s+(\d+)\s(.*)$/.exec(line))
      .find((row) => Number(row?.[2]) === server_pid && row?.[3]?.includes(' --attached'))
    if (found && Number(found[1]) !== known) return Number(found[1])
    await sleep(50)
  }
  throw new Error(`process ${server_pid} has no worker`)
}
