// The server process, composed: database, schema, first admin, HTTP edge. And taken apart in the
// reverse order: stop accepting, drain, close the pool, stop the database last.

import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { buildApp } from './http/app.ts'
import { type Db, openDatabase } from './postgres/database.ts'
import { findUnsafeSettings } from './postgres/durability.ts'
import { migrate } from './postgres/migrate.ts'
import { type OpenPostgres, openPostgres } from './postgres/open-postgres.ts'
import { isEmail } from './primitives/email.ts'
import { Refusal } from './primitives/refusal.ts'
import { createFirstAdmin, createSetupLink } from './users/create-admin.ts'
import { version } from './version.ts'

export interface RunningServer {
  app: FastifyInstance
  db: Db
  postgres: OpenPostgres
  /** Where it listens, which with PORT=0 only the system knew. */
  url: string
  migrated: string[]
  /** The path of the one-time set-up page, while there is no admin. */
  setup_path: string | undefined
  close(): Promise<void>
}

export class StartError extends Error {
  override name = 'StartError'
}

export async function startServer(config: Config, log: Logger): Promise<RunningServer> {
  const postgres = await openPostgres(config)
  try {
    return await serve(config, log, postgres)
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

async function serve(config: Config, log: Logger, postgres: OpenPostgres): Promise<RunningServer> {
  const { applied } = await migrate(postgres.connection, config.mode)
  const db = openDatabase(postgres.connection)
  try {
    await requireDurability(db, config, log)
    await makeFirstAdmin(db, config)
    const token = await createSetupLink(db)
    const tls = config.tls && readTls(config.tls)
    const app = await buildApp({ db, log, config, version, ...(tls && { tls }) })
    const url = await listen(app, config)
    const close = once(async () => {
      await app.close()
      await db.close()
      await postgres.stop()
    })
    const setup_path = token && `/setup/${token}`
    return { app, db, postgres, url, migrated: applied, setup_path, close }
  } catch (error) {
    await db.close()
    throw error
  }
}

async function requireDurability(db: Db, config: Config, log: Logger): Promise<void> {
  const unsafe = await findUnsafeSettings(db)
  if (unsafe.length === 0) return
  const what = `PostgreSQL runs with ${unsafe.join(', ')} off`
  if (config.mode === 'live') {
    throw new StartError(`${what}: a payment could be lost. Turn it on before you go live.`)
  }
  log.warn({ unsafe }, `${what}; a crash of the machine may lose data`)
}

async function makeFirstAdmin(db: Db, config: Config): Promise<void> {
  if (config.admin === undefined) return
  if (!isEmail(config.admin.email)) {
    throw new StartError('FLORIN_ADMIN_EMAIL must be an email address such as ann@example.com.')
  }
  const passwords = { length_min: config.password_min, refuse_common: config.mode === 'live' }
  try {
    await createFirstAdmin(db, config.admin, passwords)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'unavailable') throw error
    if (error.code === 'email_exists') {
      throw new StartError(
        'FLORIN_ADMIN_EMAIL belongs to a user who is not an admin, and nobody is ever promoted. ' +
          'Choose another email for the first admin.',
      )
    }
    throw new StartError(`FLORIN_ADMIN_PASSWORD is not accepted: ${error.message}`)
  }
}

function readTls(paths: { cert_path: string; key_path: string }) {
  try {
    return { cert: readFileSync(paths.cert_path), key: readFileSync(paths.key_path) }
  } catch (error) {
    throw new StartError(`The TLS files cannot be read: ${(error as Error).message}.`)
  }
}

async function listen(app: FastifyInstance, config: Config): Promise<string> {
  try {
    return await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    await app.close()
    throw explainListen(error as NodeJS.ErrnoException, config)
  }
}

function explainListen(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  const advice: Record<string, string> = {
    EADDRINUSE: `Port ${port} is taken by another program. Stop it, or choose another: PORT=${port + 1} npm start`,
    EACCES: `Port ${port} needs more rights than this user has. Choose one above 1023 with PORT.`,
    EADDRNOTAVAIL: `This machine has no address ${host}. Correct HOST.`,
    ENOTFOUND: `The name ${host} is unknown. Correct HOST.`,
  }
  const known = advice[error.code ?? '']
  return known ? new StartError(known) : error
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= work()
    return running
  }
}
