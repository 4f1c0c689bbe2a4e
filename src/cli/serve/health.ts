// florin health: for health checks of containers, and for scripts that wait for a server. Unlike
// florin status it never opens the database, and loads little code: it may run every few seconds.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import { describeServer, probeServer, type ServerState, serverUrl } from '../probe-server.ts'
import { readSettings } from '../settings.ts'
import { columns, print, printJson } from '../terminal.ts'

export interface HealthCommand {
  json?: true
  /** Seconds. */
  wait: number
}

const pause_ms = 200

export async function checkHealth(options: HealthCommand): Promise<void> {
  const config = readSettings(options)
  const state = await waitUntilReady(config, options.wait * 1_000)
  const url = state === 'unknown' ? null : serverUrl(config)
  if (options.json) printJson({ ready: state === 'ready', server: { state, url } })
  else print(columns([['Server', describeServer(config, state)]]))
  if (state !== 'ready') process.exitCode = 1
}

async function waitUntilReady(config: Config, wait_ms: number): Promise<ServerState> {
  const deadline_ms = performance.now() + wait_ms
  for (;;) {
    const state = await probeServer(config)
    // The URL is not known later either.
    if (state === 'ready' || state === 'unknown' || performance.now() >= deadline_ms) return state
    await sleep(pause_ms)
  }
}
