// florin worker: runs background work, standalone or as a child process of florin start.

import { constants, setPriority } from 'node:os'
import type { Logger } from 'pino'
import { type Config, readConfig } from '../../config.ts'
import { openLog } from '../../http/log.ts'
import { version } from '../../version.ts'
import { whenPipeCloses } from '../closed-pipe.ts'
import { readSettings } from '../settings.ts'
import { listenForStop } from '../stop-signals.ts'
import { accent, isForMachines, print, printJson, strong } from '../terminal.ts'
import { notifySystemd } from './notify-systemd.ts'

interface WorkerCommand {
  json?: true
  attached?: true
}

/** Implemented by worker.ts, which cli.ts passes in: modules must not import an entry point. */
type StartWorker = (
  config: Config,
  log: Logger,
  options: { attached: boolean },
) => Promise<{ close(): Promise<void> }>

export async function runWorker(options: WorkerCommand, startWorker: StartWorker): Promise<void> {
  const json = isForMachines(options)
  const attached = options.attached === true
  const stop = attached ? undefined : listenForStop()
  const ended = stop === undefined ? endOfParent() : stop.requested
  // The parent process has already printed the warnings.
  const config = attached ? readConfig() : readSettings(options)
  const log = openLog(config.log_level, { readable: !json })
  // The worker keeps running when the reader of its output exits.
  whenPipeCloses(() => {})
  lowerPriority()
  const worker = await startWorker(config, log, { attached })
  if (!attached) {
    announceWorker(json)
    notifySystemd(config, log)
  }
  if ((await ended) === 'parent_died') log.error(parent_died_message)
  await worker.close()
  process.exit()
}

// Logged by the worker, because a server that the kernel or V8 kills cannot log.
const parent_died_message =
  'the server process died unexpectedly: it was killed or ran out of memory. No acknowledged ' +
  'change is lost. Restart it: florin start. If it happens again, give it more memory'

// Requests take precedence over background work on a busy CPU. Some systems do not permit this.
function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {}
}

/**
 * An attached worker stops only after the server has sent its last response. It ignores SIGINT and
 * SIGHUP, and waits for the parent's stop message or for the channel to close without one.
 */
function endOfParent(): Promise<'stop_requested' | 'parent_died'> {
  process.on('SIGINT', () => {})
  process.on('SIGHUP', () => {})
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve('stop_requested'))
    process.once('message', () => resolve('stop_requested'))
    process.once('disconnect', () => resolve('parent_died'))
    if (!process.connected) resolve('parent_died')
  })
}

function announceWorker(json: boolean): void {
  const msg = 'florin worker is ready'
  if (json) printJson({ level: 30, time: new Date(), msg, version })
  else print(`\n  ${accent(strong('Florin'))} ${version} worker. Stop with Ctrl-C.\n\n`)
}
