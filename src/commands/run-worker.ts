// florin worker: the background work, alone or as the child of florin start.

import { readConfig, unknownSettings } from '../config.ts'
import { openLog } from '../http/log.ts'
import { version } from '../version.ts'
import { startWorker } from '../worker.ts'
import { listenForStop } from './stop-signals.ts'
import { accent, isForMachines, print, printJson, strong, warnUser } from './terminal.ts'

export interface WorkerCommand {
  json?: true
  attached?: true
}

export async function runWorker(options: WorkerCommand): Promise<void> {
  const json = isForMachines(options)
  const attached = options.attached === true
  const ended = attached ? endOfParent() : listenForStop().requested
  const config = readConfig()
  if (!attached) {
    for (const sentence of unknownSettings()) warnUser('unknown_setting', sentence, json)
  }
  const log = openLog(config.log_level, { readable: !json })
  const worker = await startWorker(config, log, { attached })
  if (!attached) announceWorker(json)
  await ended
  await worker.close()
  process.exit()
}

/**
 * Ctrl-C tells the whole process group, and this worker must not go before the server has
 * answered its requests: it waits for the channel to its parent to close.
 */
function endOfParent(): Promise<void> {
  process.on('SIGINT', () => {})
  process.on('SIGHUP', () => {})
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.once('disconnect', () => resolve())
    if (!process.connected) resolve()
  })
}

function announceWorker(json: boolean): void {
  if (json)
    return printJson({ level: 30, time: new Date(), msg: 'florin worker is ready', version })
  print(`\n  ${accent(strong('Florin'))} ${version} worker. Stop with Ctrl-C.\n\n`)
}
