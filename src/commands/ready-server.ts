// What a command knows of the server. The entry cli.ts brings server.ts and the command together,
// so that no part of Florin imports an entry.

import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { OpenPostgres } from '../postgres/open-postgres.ts'

export type StartServer = (
  config: Config,
  log: Logger,
  options: StartOptions,
) => Promise<ReadyServer>

export interface StartOptions {
  /** Makes a set-up link while there is no admin. Only for a terminal: a log must not hold it. */
  setup_link?: boolean
  /** Awaited when all requests are answered, before the pool closes and the database stops. */
  beforeDatabaseStops?: () => Promise<void>
  /** Aborted when somebody wants it to stop before it has started. */
  signal?: AbortSignal
}

export interface ReadyServer {
  postgres: OpenPostgres
  /** As given, but with the true port and public URL when PORT is 0. */
  config: Config
  /** Where it listens. */
  url: string
  migrated: string[]
  has_admin: boolean
  /** The path of the one-time set-up page, if asked for and while there is no admin. */
  setup_path: string | undefined
  close(): Promise<void>
}

/** Why the server does not start: what happened, and what to do next. */
export class StartError extends Error {
  override name = 'StartError'
}

/** A port or an address that cannot be had, as a sentence that says what to do. */
export function explainListen(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  const other = `Choose another: PORT=${port < 65_535 ? port + 1 : port - 1} npm start`
  const advice: Record<string, string> = {
    EADDRINUSE: `Port ${port} is taken by another program. Stop it. Or: ${other}`,
    EACCES: `Port ${port} needs more rights than this user has. Choose one above 1023 with PORT.`,
    EADDRNOTAVAIL: `This machine has no address ${host}. Correct HOST.`,
    ENOTFOUND: `The name ${host} is unknown. Correct HOST.`,
    EAI_AGAIN: `The name ${host} cannot be looked up. Correct HOST.`,
  }
  const known = advice[error.code ?? '']
  return known ? new StartError(known) : error
}
