// Builds the worker process.

import type { Logger } from 'pino'
import { findRecipient } from './accounts/find-accounts.ts'
import type { Config } from './config.ts'
import { enableEmailDelivery } from './email/outbox.ts'
import { openSmtpTransport } from './email/smtp-transport.ts'
import { EmbeddedDatabaseError } from './embedded-postgres/errors.ts'
import { findRunningEmbedded } from './embedded-postgres/open-embedded.ts'
import { joinPostgres, type OpenPostgres } from './embedded-postgres/open-postgres.ts'
import { startTimers } from './jobs/timer.ts'
import { connectionOf } from './postgres/connect.ts'
import { type Db, openDatabase } from './postgres/database.ts'
import { migrate } from './postgres/migrate.ts'
import { openProcessor } from './processors/processor.ts'
import { openTracing } from './tracing/open-tracing.ts'
import type { Tracer } from './tracing/tracer.ts'
import { version } from './version.ts'
import { type AddressSettings, addressPolicy } from './webhooks/address-policy.ts'
import { Dispatcher } from './webhooks/sending/dispatcher.ts'
import { openWebhookClient } from './webhooks/sending/webhook-client.ts'
import { jobsOf } from './worker-jobs.ts'

function openDispatcher(
  db: Db,
  log: Logger,
  settings: AddressSettings,
  tracer: Tracer | undefined,
): Dispatcher {
  const webhookClient = openWebhookClient(addressPolicy(settings))
  const report = (error: unknown) =>
    log.warn({ err: error, job: 'send_webhooks' }, 'failed to record webhook delivery')
  return new Dispatcher({ db, webhookClient, findRecipient, report, tracer })
}

/**
 * A standalone worker does not know where the server listens. Webhooks of a public server must not
 * reach this machine (SSRF), so loopback is allowed only if the operator has set the host.
 */
function addressesOf(config: Config, { attached = false }: WorkerOptions): AddressSettings {
  const { mode, public_url, trust_proxy, webhook_allow } = config
  const host = attached || config.has_explicit_host ? config.host : undefined
  return { mode, host, public_url, trust_proxy, webhook_allow }
}

interface RunningWorker {
  close(): Promise<void>
}

// After an operator has split a shard, Citus rejects claims in both parts until the map is read
// again.
const shards_every_ms = 60_000

interface WorkerOptions {
  /** A child of `florin start`, which owns and has migrated the database. */
  attached?: boolean
}

export async function startWorker(
  config: Config,
  log: Logger,
  options: WorkerOptions = {},
): Promise<RunningWorker> {
  const postgres = await (options.attached ? joinParent(config) : joinAndMigrate(config))
  const db = openDatabase(postgres.connection, { clients_max: 4 })
  if (config.smtp !== undefined) await enableEmailDelivery(db)
  const transport = config.smtp && openSmtpTransport(config.smtp.server, config.smtp.from)
  // A machine crash may lose marks of sent deliveries. They are sent again: webhooks are delivered
  // at least once.
  const async_commit_db = openDatabase(postgres.connection, { clients_max: 4, async_commit: true })
  const loadShards = () => Promise.all([db, async_commit_db].map((one) => one.shards.load(one)))
  await loadShards()
  const shards_timer = setInterval(() => loadShards().catch(() => {}), shards_every_ms).unref()
  const tracing = openTracing(config.traces, { kind: 'worker', version, log })
  const addresses = addressesOf(config, options)
  const webhooks = openDispatcher(async_commit_db, log, addresses, tracing?.tracer)
  const processor = await openProcessor(config, tracing?.tracer)
  const jobs = jobsOf({ db, log, config, processor }, { transport, webhooks })
  const timers = startTimers(db, log, jobs)
  return {
    async close() {
      clearInterval(shards_timer)
      // First, so that no new deliveries start while stop() waits for emails.
      webhooks.stopAccepting()
      await timers.stop()
      await webhooks.stop()
      await async_commit_db.close()
      transport?.disconnect()
      await tracing?.close()
      await db.close()
      await postgres.stop()
    },
  }
}

type JoinedPostgres = Pick<OpenPostgres, 'connection' | 'stop'>

/** Never starts the embedded database: an orphaned child would block the next `florin start`. */
async function joinParent({ database_url, data_path }: Config): Promise<JoinedPostgres> {
  const stop = async () => {}
  if (database_url !== undefined) return { connection: connectionOf(database_url), stop }
  const running = await findRunningEmbedded(data_path)
  if (running === undefined) {
    throw new EmbeddedDatabaseError(
      `No database is running in ${data_path}. ` +
        'Only `florin start` may run `florin worker --attached`.',
    )
  }
  const { pid: _, ...connection } = running
  return { connection, stop }
}

async function joinAndMigrate(config: Config): Promise<JoinedPostgres> {
  const postgres = await joinPostgres(config)
  try {
    await migrate(postgres.connection, config.mode)
    return postgres
  } catch (error) {
    await postgres.stop()
    throw error
  }
}
