// The worker beside the server: a child process, so that background work never takes the event loop
// from requests, and started again when it dies.

import { type ChildProcess, fork, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { type Config, workerEnv } from '../config.ts'

export interface SupervisedWorker {
  /** Lets the work under way end, and waits for it, but for no longer than this. */
  stop(most_ms: number): Promise<void>
}

const launcher = fileURLToPath(new URL('../../bin/florin.mjs', import.meta.url))

// A worker that cannot start must not fill the log nor a core; one that lived a minute was well.
const pause_ms_least = 1_000
const pause_ms_most = 30_000
const well_after_ms = 60_000

/** The configuration is the server's, with the true port. */
export function superviseWorker(
  config: Config,
  log: Logger,
  options: { json: boolean },
): SupervisedWorker {
  const args = ['worker', '--attached', ...(options.json ? ['--json'] : [])]
  const env = workerEnv(config)
  let child: ChildProcess
  let pause_ms = pause_ms_least
  let timer: NodeJS.Timeout | undefined
  let stopping = false

  function run(): void {
    const started_ms = performance.now()
    // The channel is how the worker learns that we are gone, in whatever way: it closes. In a
    // session of its own it is not met by Ctrl-C, not even before it can say that it ignores it.
    const stdio: StdioOptions = ['ignore', 'inherit', 'inherit', 'ipc']
    child = fork(launcher, args, { stdio, env, detached: true })
    let ended = false
    const onEnd = (...how: unknown[]) => {
      if (ended || stopping) return
      ended = true
      if (performance.now() - started_ms > well_after_ms) pause_ms = pause_ms_least
      log.warn({ how, restart_in_ms: pause_ms }, 'the worker ended and is started again')
      timer = setTimeout(run, pause_ms)
      pause_ms = Math.min(pause_ms * 2, pause_ms_most)
    }
    child.once('exit', onEnd)
    child.once('error', onEnd)
  }

  run()
  return {
    async stop(most_ms) {
      stopping = true
      clearTimeout(timer)
      await end(child, most_ms)
    },
  }
}

// Work cut short is done again, which leases see to: an email is then sent twice.
async function end(child: ChildProcess, most_ms: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const ended = once(child, 'exit')
  // Any word is the word to stop; one that no longer arrives is not missed.
  if (child.connected) child.send('stop', () => {})
  const timer = setTimeout(() => child.kill('SIGKILL'), most_ms)
  await ended
  clearTimeout(timer)
}
