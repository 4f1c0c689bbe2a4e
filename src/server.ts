// Builds the server process: database, schema, first admin, HTTP. Shuts it down in reverse order:
// stop accepting, drain, stop the worker, close the pool, stop the database last.

import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { createSecureContext } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import {
  explainListen,
  type ReadyServer,
  StartError,
  type StartOptions,
} from './cli/client/ready-server.ts'
import { localUrl } from './cli/probe-server.ts'
import type { Config } from './config.ts'
import { enableEmailDelivery } from './email/outbox.ts'
import { type OpenPostgres, openPostgres } from './embedded-postgres/open-postgres.ts'
import { readSecretKeyFile } from './embedded-postgres/secret-key-file.ts'
import { buildApp } from './http/app.ts'
import { createFirstAdmin, createSetupLink, hasAdmin } from './identity/users/create-admin.ts'
import { type Db, openDatabase } from './postgres/database.ts'
import { findUnsafeSettings, repairAdvice } from './postgres/durability.ts'
import { migrate } from './postgres/migrate.ts'
import { isEmail } from './primitives/email-address.ts'
import { Refusal } from './primitives/refusal.ts'
import { version } from './version.ts'

interface RunningServer extends ReadyServer {
  app: FastifyInstance
  db: Db
}

export async function startServer(
  config: Config,
  log: Logger,
  options: StartOptions = {},
): Promise<RunningServer> {
  const postgres = await openPostgres(config, options.signal)
  try {
    options.signal?.throwIfAborted()
    return await serve(config, log, postgres, options)
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

async function serve(
  config: Config,
  log: Logger,
  postgres: OpenPostgres,
  options: StartOptions,
): Promise<RunningServer> {
  // If this process started the database, no process of another version is using it.
  const finish = postgres.started === 'started'
  const { applied: migrated } = await migrate(postgres.connection, config.mode, { finish })
  const db = openDatabase(postgres.connection)
  try {
    await requireDurability(db, config, log)
    await addFirstAdmin(db, config)
    if (config.smtp !== undefined) await enableEmailDelivery(db)
    const token = await createSetupLink(db)
    const has_admin = await hasAdmin(db)
    options.signal?.throwIfAborted()
    const edge = await openEdge(await withSecretKey(config), log, db)
    const close = once(async () => {
      await drain(edge.app)
      await options.beforeDatabaseStops?.()
      await db.close()
      await postgres.stop()
    })
    const setup_path = token && `/setup/${token}`
    return { ...edge, db, postgres, migrated, has_admin, setup_path, close }
  } catch (error) {
    await db.close()
    throw error
  }
}

/** A sandbox with the embedded database has its key in a file. */
async function withSecretKey(config: Config): Promise<Config> {
  if (config.database_url !== undefined || config.secret_keys.length > 0) return config
  return { ...config, secret_keys: [await readSecretKeyFile(config.data_path)] }
}

// A client may take 20 s to send its body, but process managers expect an exit within 10 s.
const drain_ms = 6_000

/** Stops accepting connections, and waits until open requests have their responses. */
async function drain(app: FastifyInstance): Promise<void> {
  // Otherwise a connection whose request ends during shutdown stays open for its keep-alive time.
  const sweep = setInterval(() => app.server.closeIdleConnections(), 50)
  const end = setTimeout(() => app.server.closeAllConnections(), drain_ms)
  try {
    await app.close()
  } finally {
    clearInterval(sweep)
    clearTimeout(end)
  }
}

async function requireDurability(db: Db, config: Config, log: Logger): Promise<void> {
  const unsafe = await findUnsafeSettings(db)
  if (unsafe.length === 0) return
  const settings = `PostgreSQL runs with ${unsafe.join(', ')}`
  if (config.mode === 'live') {
    throw new StartError(`${settings}: a payment could be lost. ${repairAdvice(unsafe)}`)
  }
  log.warn({ unsafe }, `${settings}; a machine crash may lose data`)
}

async function addFirstAdmin(db: Db, config: Config): Promise<void> {
  if (config.admin === undefined) return
  if (!isEmail(config.admin.email)) {
    throw new StartError('FLORIN_ADMIN_EMAIL must be an email address such as ann@example.com.')
  }
  const passwords = { length_min: config.password_min, reject_common: config.mode === 'live' }
  try {
    await createFirstAdmin(db, config.admin, passwords)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'unavailable') throw error
    if (error.code === 'email_exists') {
      throw new StartError(
        'FLORIN_ADMIN_EMAIL belongs to a user who is not an admin, and existing users cannot be ' +
          'promoted. Use another email address for the first admin.',
      )
    }
    throw new StartError(`FLORIN_ADMIN_PASSWORD is invalid: ${error.message}`)
  }
}

function readTls(paths: { cert_path: string; key_path: string }) {
  try {
    const pair = { cert: readFileSync(paths.cert_path), key: readFileSync(paths.key_path) }
    // Throws if they are not PEM files, or do not match.
    createSecureContext(pair)
    return pair
  } catch (error) {
    throw new StartError(
      `FLORIN_TLS_CERT and FLORIN_TLS_KEY cannot be used: ${(error as Error).message}. ` +
        'Both must be PEM files, and the key must match the certificate.',
    )
  }
}

type Edge = Pick<RunningServer, 'app' | 'config' | 'url'>

/** With PORT=0 a free port is chosen before the app is built: responses contain the public URL. */
async function openEdge(given: Config, log: Logger, db: Db): Promise<Edge> {
  const tls = given.tls && readTls(given.tls)
  for (let attempts_left = 5; ; attempts_left--) {
    const config = given.port === 0 ? await withFreePort(given) : given
    const app = await buildApp({ db, log, config, version, ...(tls && { tls }) })
    try {
      await listen(app, log, config)
      return { app, config, url: localUrl(config) }
    } catch (error) {
      await app.close()
      // Another program may have taken the free port in between.
      const taken = given.port === 0 && (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (!taken || attempts_left === 0) throw explainListen(error as NodeJS.ErrnoException, config)
    }
  }
}

async function listen(app: FastifyInstance, log: Logger, { host, port }: Config): Promise<void> {
  // Fastify would log each address; the "florin is ready" line replaces these messages.
  const { level } = log
  if (log.isLevelEnabled('info')) log.level = 'warn'
  try {
    await app.listen({ host, port })
  } finally {
    log.level = level
  }
}

async function withFreePort(config: Config): Promise<Config> {
  const probe = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject).listen({ host: config.host, port: 0 }, resolve)
    })
    const { port } = probe.address() as AddressInfo
    return { ...config, port, public_url: config.public_url.replace(/:0$/, `:${port}`) }
  } catch (error) {
    throw explainListen(error as NodeJS.ErrnoException, config)
  } finally {
    probe.close()
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= work()
    return running
  }
}
