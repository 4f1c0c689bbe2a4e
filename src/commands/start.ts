// florin start: the server, and the worker beside it, until somebody says stop. When its memory is
// nearly full, it stops in good order and begins anew.

import { flushCompileCache } from 'node:module'
import type { Logger } from 'pino'
import { openLog } from '../http/log.ts'
import { announceServer } from './banner.ts'
import { whenPipeCloses } from './closed-pipe.ts'
import type { ReadyServer, StartOptions, StartServer } from './ready-server.ts'
import { restart, restartWhenFull } from './restart.ts'
import { readSettings } from './settings.ts'
import { listenForStop, type Stop } from './stop-signals.ts'
import { type SupervisedWorker, superviseWorker } from './supervise-worker.ts'
import { isForMachines, print, transientMessage } from './terminal.ts'

export interface StartCommand {
  json?: true
  worker: boolean
}

export async function start(options: StartCommand, startServer: StartServer): Promise<void> {
  const stop = listenForStop()
  const json = isForMachines(options)
  const config = readSettings(options)
  const log = openLog(config.log_level, { readable: !json })
  watchForTrouble(log, stop)
  const anew = restartWhenFull(log, stop)
  const serve = (how: StartOptions) => aloud(startServer(config, log, how))
  await serveUntil(stop, serve, log, { json, worker: options.worker })
  if (anew.isRequested()) await restart(log)
  if (!json) print('Stopped.\n')
  process.exit()
}

async function serveUntil(
  stop: Stop,
  serve: (how: StartOptions) => Promise<ReadyServer>,
  log: Logger,
  { json, worker: wants_worker }: { json: boolean; worker: boolean },
): Promise<void> {
  let worker: SupervisedWorker | undefined
  const server = await serve({
    setup_link: !json,
    signal: stop.signal,
    beforeDatabaseStops: async () => worker?.stop(farewellMs(stop)),
  }).catch((error) => {
    // Ctrl-C also reaches what the start-up waits for, so its failure then is no news.
    if (!stop.signal.aborted) throw error
  })
  if (server === undefined) return
  // The first start pays for stripping the types; a server that is killed would never keep that.
  flushCompileCache()
  if (!stop.signal.aborted) {
    if (wants_worker) worker = superviseWorker(server.config, log, { json })
    announceServer(server, { json, worker: wants_worker })
    await stop.requested
  }
  if (!json) print('\nStopping: open requests are answered first. Ctrl-C again ends it at once.\n')
  await server.close()
}

// A worker's conversations with mail servers and receivers of webhooks may take some seconds to
// end. Most of what is left is theirs, however long the requests took; the database needs the rest.
const database_stop_ms = 1_500
const farewell_ms_least = 2_000

function farewellMs(stop: Stop): number {
  return Math.max(farewell_ms_least, stop.leftMs() - database_stop_ms)
}

async function aloud<Result>(work: Promise<Result>): Promise<Result> {
  const clear = transientMessage('Starting. The first time takes a few seconds …')
  try {
    return await work
  } finally {
    clear()
  }
}

/** What nobody caught is logged and ends the process in good order, with 1. */
function watchForTrouble(log: Logger, stop: Stop): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unexpected failure, stopping')
    process.exitCode = 1
    stop.request()
  })
  // The embedded database warns through the process; Node would print that beside the log.
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn({ kind: warning.name }, warning.message))
  // Whoever read our output may go before us.
  whenPipeCloses(() => {})
}
