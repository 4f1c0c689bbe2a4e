// florin start: runs the server and a worker until a stop is requested.

import { flushCompileCache } from 'node:module'
import type { Logger } from 'pino'
import { openLog } from '../../http/log.ts'
import type { ReadyServer, StartOptions, StartServer } from '../client/ready-server.ts'
import { whenPipeCloses } from '../closed-pipe.ts'
import { readSettings } from '../settings.ts'
import { listenForStop, type Stop } from '../stop-signals.ts'
import { isForMachines, print, transientMessage } from '../terminal.ts'
import { announceServer } from './banner.ts'
import { notifySystemd } from './notify-systemd.ts'
import { type SupervisedWorker, superviseWorker } from './supervise-worker.ts'

interface StartCommand {
  json?: true
  worker: boolean
}

export async function start(options: StartCommand, startServer: StartServer): Promise<void> {
  const stop = listenForStop()
  const json = isForMachines(options)
  const config = readSettings(options)
  const log = openLog(config.log_level, { readable: !json })
  handleProcessErrors(log, stop)
  const serve = (how: StartOptions) => withMessage(startServer(config, log, how))
  await serveUntil(stop, serve, log, { json, worker: options.worker })
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
    signal: stop.signal,
    beforeDatabaseStops: async () => worker?.stop(workerStopMs(stop)),
  }).catch((error) => {
    // A stop during startup makes pending steps fail; these failures are expected.
    if (!stop.signal.aborted) throw error
  })
  if (server === undefined) return
  // Stores the compiled modules now: a server that is killed would not, and the next start is slow.
  flushCompileCache()
  if (!stop.signal.aborted) {
    if (wants_worker) worker = superviseWorker(server.config, log, { json })
    announceServer(server, { json, worker: wants_worker })
    notifySystemd(server.config, log)
    await stop.requested
  }
  if (!json)
    print('\nStopping after requests in progress. Press Ctrl-C again to exit immediately.\n')
  await server.close()
}

// A worker may need seconds to finish SMTP and webhook deliveries. It gets the time that is left,
// except for what the database needs to stop.
const database_stop_ms = 1_500
const worker_stop_ms_min = 2_000

function workerStopMs(stop: Stop): number {
  return Math.max(worker_stop_ms_min, stop.leftMs() - database_stop_ms)
}

async function withMessage<Result>(work: Promise<Result>): Promise<Result> {
  const clear = transientMessage('Starting. The first start takes a few seconds …')
  try {
    return await work
  } finally {
    clear()
  }
}

/** An uncaught error is logged and shuts the process down gracefully, with exit code 1. */
function handleProcessErrors(log: Logger, stop: Stop): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unexpected failure, stopping')
    process.exitCode = 1
    stop.request()
  })
  // The embedded database emits process warnings. Node.js would print them outside the log.
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn({ kind: warning.name }, warning.message))
  // The server keeps running when the reader of its output exits.
  whenPipeCloses(() => {})
}
