// Runs the worker as a child process of the server, so background work never blocks the server's
// event loop. Restarts the worker when it exits.

import { type ChildProcess, fork, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { type Config, workerEnv } from '../../config.ts'

export interface SupervisedWorker {
  /** Stops gracefully, and kills the worker after this time. */
  stop(timeout_ms: number): Promise<void>
}

const launcher = fileURLToPath(new URL('../../../bin/florin.mjs', import.meta.url))

// Exponential backoff for a worker that cannot start. Running for a minute resets it.
const pause_ms_min = 1_000
const pause_ms_max = 30_000
const healthy_after_ms = 60_000

/** Takes the configuration of the running server, which has the actual port. */
export function superviseWorker(
  config: Config,
  log: Logger,
  options: { json: boolean },
): SupervisedWorker {
  const args = ['worker', '--attached', ...(options.json ? ['--json'] : [])]
  const env = workerEnv(config)
  let child: ChildProcess
  let pause_ms = pause_ms_min
  let timer: NodeJS.Timeout | undefined
  let stopping = false

  function run(): void {
    const started_ms = performance.now()
    // The IPC channel closes when this process dies, which the worker detects. A separate session
    // keeps Ctrl-C from reaching the worker before it has installed its signal handlers.
    const stdio: StdioOptions = ['ignore', 'inherit', 'inherit', 'ipc']
    child = fork(launcher, args, { stdio, env, detached: true })
    let ended = false
    const onEnd = (...how: unknown[]) => {
      if (ended || stopping) return
      ended = true
      if (performance.now() - started_ms > healthy_after_ms) pause_ms = pause_ms_min
      log.warn({ how, restart_in_ms: pause_ms }, 'worker exited, restarting')
      timer = setTimeout(run, pause_ms)
      pause_ms = Math.min(pause_ms * 2, pause_ms_max)
    }
    child.once('exit', onEnd)
    child.once('error', onEnd)
  }

  run()
  return {
    async stop(timeout_ms) {
      stopping = true
      clearTimeout(timer)
      await end(child, timeout_ms)
    },
  }
}

// Work that is killed runs again when its lease expires; an email may then be sent twice.
async function end(child: ChildProcess, timeout_ms: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const ended = once(child, 'exit')
  // Any message means stop. Errors are ignored: the channel may already be closed.
  if (child.connected) child.send('stop', () => {})
  const timer = setTimeout(() => child.kill('SIGKILL'), timeout_ms)
  await ended
  clearTimeout(timer)
}
