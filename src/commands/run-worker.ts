// florin worker: the background work, alone or as the child of florin start.

import { constants, setPriority } from 'node:os'
import type { Logger } from 'pino'
import { type Config, readConfig } from '../config.ts'
import { openLog } from '../http/log.ts'
import { version } from '../version.ts'
import { whenPipeCloses } from './closed-pipe.ts'
import { restart, restartWhenFull } from './restart.ts'
import { readSettings } from './settings.ts'
import { listenForStop } from './stop-signals.ts'
import { accent, isForMachines, print, printJson, strong } from './terminal.ts'

export interface WorkerCommand {
  json?: true
  attached?: true
}

/** worker.ts, an entry like this command's caller, which brings the two together. */
export type StartWorker = (
  config: Config,
  log: Logger,
  options: { attached: boolean },
) => Promise<{ close(): Promise<void>; moved?: Promise<void> | undefined }>

export async function runWorker(options: WorkerCommand, startWorker: StartWorker): Promise<void> {
  const json = isForMachines(options)
  const attached = options.attached === true
  const stop = attached ? undefined : listenForStop()
  const ended = stop === undefined ? endOfParent() : stop.requested
  // Its parent has warned already.
  const config = attached ? readConfig() : readSettings(options)
  const log = openLog(config.log_level, { readable: !json })
  // One that is attached is started again by its parent.
  const anew = stop && restartWhenFull(log, stop)
  // As of the server: whoever read our output may go before us.
  whenPipeCloses(() => {})
  giveWay()
  const worker = await startWorker(config, log, { attached })
  worker.moved?.then(() => {
    // Whoever has told us to stop meant it.
    if (stop === undefined || stop.signal.aborted) return
    log.warn(moved_words)
    anew?.request()
  })
  if (!attached) announceWorker(json)
  if ((await ended) === 'alone') log.error(last_words)
  await worker.close()
  if (anew?.isRequested()) await restart(log)
  process.exit()
}

// The server cannot say it itself when the kernel or V8 ends it.
const last_words =
  'The server is gone without a word: it was killed, or had no memory left. Nothing that was ' +
  'acknowledged is lost. Start it again: florin start'

const moved_words =
  'The database has moved, because florin start was started again. This worker begins anew there.'

// Nobody waits for background work as people wait for an answer: where both want the processor, the
// server has it first. Some systems do not allow it, and then all are equal.
function giveWay(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {}
}

/**
 * This worker must not go before the server has answered its requests, whoever is told to stop
 * meanwhile: it waits for its parent's word, or for the channel to it to close without one.
 */
function endOfParent(): Promise<'asked' | 'alone'> {
  process.on('SIGINT', () => {})
  process.on('SIGHUP', () => {})
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve('asked'))
    process.once('message', () => resolve('asked'))
    process.once('disconnect', () => resolve('alone'))
    if (!process.connected) resolve('alone')
  })
}

function announceWorker(json: boolean): void {
  const msg = 'florin worker is ready'
  if (json) printJson({ level: 30, time: new Date(), msg, version })
  else print(`\n  ${accent(strong('Florin'))} ${version} worker. Stop with Ctrl-C.\n\n`)
}
