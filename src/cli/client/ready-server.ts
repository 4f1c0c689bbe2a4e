// The interface of the server to commands. cli.ts passes server.ts to the command, because modules
// must not import an entry point.

import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { OpenPostgres } from '../../embedded-postgres/open-postgres.ts'
import { start_command } from '../../version.ts'

export type StartServer = (
  config: Config,
  log: Logger,
  options: StartOptions,
) => Promise<ReadyServer>

export interface StartOptions {
  /** Awaited after the last response, before the pool closes and the database stops. */
  beforeDatabaseStops?: () => Promise<void>
  /** Aborted when a stop is requested during startup. */
  signal?: AbortSignal
}

export interface ReadyServer {
  postgres: OpenPostgres
  /** The configuration, with the actual port and public URL if PORT is 0. */
  config: Config
  /** The URL at which it listens. */
  url: string
  migrated: string[]
  has_admin: boolean
  /** Path of the one-time setup page, if there is no admin. */
  setup_path: string | undefined
  close(): Promise<void>
}

/** The server cannot start. The message includes the next step. */
export class StartError extends Error {
  override name = 'StartError'
}

/** Explains why the port or address cannot be used, and what to do. */
export function explainListen(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  const other = `PORT=${port < 65_535 ? port + 1 : port - 1} ${start_command}`
  const advice: Record<string, string> = {
    EADDRINUSE: `Port ${port} is already in use. Stop the other program, or run: ${other}`,
    EACCES: `This user may not listen on port ${port}. Set PORT to a port above 1023.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Correct HOST.`,
    ENOTFOUND: `The host name ${host} does not exist. Correct HOST.`,
    EAI_AGAIN: `The host name ${host} cannot be resolved. Correct HOST.`,
  }
  const known = advice[error.code ?? '']
  return known ? new StartError(known) : error
}
