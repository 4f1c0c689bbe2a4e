// Builds the worker process and lists its jobs. Several workers may run; leases divide the work.

import type { Logger } from 'pino'
import { sweepEmailChanges } from './accounts/email-change.ts'
import { findRecipient } from './accounts/recipient.ts'
import type { Config } from './config.ts'
import { sweepDashboardSessions } from './dashboard/cookie-session.ts'
import { newEmailRotation } from './email/claim-emails.ts'
import { disableEmailDelivery, enableEmailDelivery } from './email/delivery-switch.ts'
import { sendDue } from './email/send-due.ts'
import { openSmtpTransport, type SmtpTransport } from './email/smtp-transport.ts'
import type { StoredEmail } from './email/stored-email.ts'
import { sweepEmails } from './email/sweep-emails.ts'
import { EmbeddedDatabaseError } from './embedded-postgres/embedded-database-error.ts'
import { findRunningEmbedded } from './embedded-postgres/open-embedded.ts'
import { joinPostgres, type OpenPostgres } from './embedded-postgres/open-postgres.ts'
import { watchMoves } from './embedded-postgres/watch-moves.ts'
import { sweepEvents } from './events/sweep-events.ts'
import { sweepStoredResponses } from './idempotency/sweep-stored-responses.ts'
import { sweepThrottle } from './identity/login/sweep-throttle.ts'
import { sweepSessions } from './identity/sessions/sweep-sessions.ts'
import { suspendCreatedUsers } from './identity/users/suspend-created-users.ts'
import { slot_count } from './jobs/due-work.ts'
import { type Job, startTimers } from './jobs/timer.ts'
import { cleanUpJob } from './operations/clean-up-job.ts'
import { findSuppressionReason } from './payments/email-suppression.ts'
import { PaymentLanes } from './payments/lanes.ts'
import { paymentRequests } from './payments/refunds.ts'
import { duePaymentJob } from './payments/run-due.ts'
import { connectionOf } from './postgres/connect.ts'
import { type Db, openDatabase } from './postgres/database.ts'
import { migrate } from './postgres/migrate.ts'
import { chooseProcessor, type Processor, takesCards } from './processors/processor.ts'
import { sweepEntries } from './request-log/sweep-entries.ts'
import { SubscriptionLanes } from './subscriptions/lanes.ts'
import { dueSubscriptionJob } from './subscriptions/run-due.ts'
import { TransactionLanes } from './transactions/lanes.ts'
import { dueSettlementJob, settlesAutomatically } from './transactions/settle-due.ts'
import { type AddressSettings, addressPolicy } from './webhooks/address-policy.ts'
import { Dispatcher } from './webhooks/sending/dispatcher.ts'
import { openWebhookClient } from './webhooks/sending/webhook-client.ts'
import { sweepWebhooks } from './webhooks/sweep-webhooks.ts'

const minute_ms = 60_000

/** Senders with open connections, which must be closed when the worker stops. */
export interface OutboundSenders {
  /** Undefined if no SMTP server is configured. */
  transport: SmtpTransport | undefined
  webhooks: Dispatcher
}

export function jobsOf(
  db: Db,
  log: Logger,
  config: Config,
  { transport, webhooks }: Partial<OutboundSenders> = {},
): Job[] {
  return [
    suspending(),
    sweep('sweep_sessions', sweepSessions),
    sweep('sweep_dashboard_sessions', sweepDashboardSessions),
    sweep('sweep_login_throttle', sweepThrottle),
    sweep('sweep_stored_responses', sweepStoredResponses),
    sweep('sweep_emails', sweepEmails),
    sweep('sweep_events', sweepEvents),
    sweep('sweep_request_log', sweepEntries),
    sweep('sweep_email_changes', sweepEmailChanges),
    sweep('sweep_webhooks', sweepWebhooks),
    ...(webhooks === undefined ? [] : [webhookJob(webhooks)]),
    emailJob(log, config, transport),
    ...settlement(db, log, chooseProcessor(config), config.public_url),
    duePayments(db, log, config.public_url),
    dueSubscriptions(db, log, config.public_url),
    closings(db, log, config.public_url),
  ]
}

type Sweep = (db: Db, signal: AbortSignal) => Promise<number>

function sweep(name: string, run: Sweep): Job {
  return {
    name,
    every_ms: 10 * minute_ms,
    run: async (db, { signal }) => ({ done: await run(db, signal), more: false }),
  }
}

// Their access ended when the key was revoked: only their displayed status waits for this job.
const suspend_every_ms = 1_000

function suspending(): Job {
  return {
    name: 'suspend_created_users',
    every_ms: suspend_every_ms,
    run: async (db, { signal }) => ({ done: await suspendCreatedUsers(db, signal), more: false }),
  }
}

// Settlement times are whole seconds, so a delay of one second is acceptable. A poll costs two
// small statements. One second of due work fills a few batches; polling more often would produce
// many small ones, each with a separate commit.
const settle_every_ms = 1_000

function settlement(db: Db, log: Logger, processor: Processor, public_url: string): Job[] {
  if (!settlesAutomatically(processor)) return []
  const name = 'settle_due'
  const parts = { db, lanes: new TransactionLanes(db, {}, paymentRequests(public_url)), processor }
  const settle = dueSettlementJob(parts, (error, failed) => {
    log.warn({ err: error, job: name, failed }, 'failed to settle due transactions')
  })
  const every_ms = settle_every_ms
  return [{ name, every_ms, slots: slot_count, run: (_, context) => settle(context) }]
}

// Users wait for the email that a page has just announced. At most four workers send at a time, to
// avoid overloading the SMTP server.
const send_every_ms = 1_000
const senders_max = 4

function emailJob(log: Logger, config: Config, transport: SmtpTransport | undefined): Job {
  if (transport === undefined) {
    const store: Job['run'] = async (db, { signal }) => ({
      done: await disableEmailDelivery(db, signal),
      more: false,
    })
    return { name: 'store_emails', every_ms: minute_ms, run: store }
  }
  const name = 'send_emails'
  const takes_cards = takesCards(chooseProcessor(config))
  const { email_recipients: recipients_max } = config
  const options = { sandbox: config.mode === 'sandbox', takes_cards, recipients_max }
  const rotation = newEmailRotation()
  // SMTP servers quote the recipient, and customers' addresses must not be logged.
  const report = (error: string, emails: number) => {
    const smtp_response = error.replace(/\S+@\S+/g, '…')
    log.warn({ job: name, emails, smtp_response }, 'the SMTP server rejected emails')
  }
  return {
    name,
    every_ms: send_every_ms,
    slots: senders_max,
    run: (db, context) => {
      const findSuppression = (email: StoredEmail) => findSuppressionReason(db, email)
      return sendDue({ ...options, db, transport, rotation, report, findSuppression }, context)
    },
  }
}

// A round contains a pause, which ends early when there is more to send. This interval applies only
// to a worker without slots and after an error.
const webhooks_every_ms = 500

function webhookJob(webhooks: Dispatcher): Job {
  const run: Job['run'] = (_, context) => webhooks.round(context)
  return { name: 'send_webhooks', every_ms: webhooks_every_ms, slots: slot_count, run }
}

function openDispatcher(db: Db, log: Logger, settings: AddressSettings): Dispatcher {
  const webhookClient = openWebhookClient(addressPolicy(settings))
  const report = (error: unknown) =>
    log.warn({ err: error, job: 'send_webhooks' }, 'failed to record webhook delivery')
  return new Dispatcher({ db, webhookClient, findRecipient, report })
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

// Reminders and expiries are due after days, so ten seconds are soon enough. A poll costs two small
// statements.
const due_payments_every_ms = 10_000

function duePayments(db: Db, log: Logger, public_url: string): Job {
  const name = 'due_payments'
  const parts = { db, payment_lanes: new PaymentLanes(db, public_url) }
  const round = duePaymentJob(parts, (error, failed) => {
    log.warn({ err: error, job: name, failed }, 'failed to process due payment requests')
  })
  const every_ms = due_payments_every_ms
  return { name, every_ms, slots: slot_count, run: (_, context) => round(context) }
}

// Periods last days too.
const due_subscriptions_every_ms = 10_000

function dueSubscriptions(db: Db, log: Logger, public_url: string): Job {
  const name = 'due_subscriptions'
  const parts = { db, subscription_lanes: new SubscriptionLanes(db, public_url) }
  const round = dueSubscriptionJob(parts, (error, failed) => {
    log.warn({ err: error, job: name, failed }, 'failed to process due subscriptions')
  })
  const every_ms = due_subscriptions_every_ms
  return { name, every_ms, slots: slot_count, run: (_, context) => round(context) }
}

// Not urgent: a closed account already behaves as if all slices had run. A poll is one statement.
const closings_every_ms = 2_000

function closings(db: Db, log: Logger, public_url: string): Job {
  const name = 'finish_closings'
  const report = (error: unknown, account_id: string) =>
    log.warn({ err: error, job: name, account_id }, 'failed to continue an account closing')
  const run: Job['run'] = (_, context) => cleanUpJob({ db, public_url }, context, report)
  return { name, every_ms: closings_every_ms, slots: slot_count, run }
}

export interface RunningWorker {
  close(): Promise<void>
  /** Resolves when the joined embedded database has a new socket; undefined if it cannot move. */
  moved: Promise<void> | undefined
}

export interface WorkerOptions {
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
  const webhooks = openDispatcher(async_commit_db, log, addressesOf(config, options))
  const timers = startTimers(db, log, jobsOf(db, log, config, { transport, webhooks }))
  const watch = mayMove(postgres, options)
    ? watchMoves(config.data_path, postgres.connection, () => timers.since_heartbeat_ms > away_ms)
    : undefined
  return {
    moved: watch?.moved,
    async close() {
      watch?.stop()
      // First, so that no new deliveries start while stop() waits for emails.
      webhooks.stopAccepting()
      await timers.stop()
      await webhooks.stop()
      await async_commit_db.close()
      transport?.disconnect()
      await db.close()
      await postgres.stop()
    },
  }
}

type JoinedPostgres = Pick<OpenPostgres, 'connection' | 'stop'> & Partial<OpenPostgres>

// Five heartbeats. A database that its supervisor restarts is back sooner, on the same socket.
const away_ms = 10_000

// A child of `florin start` ends with its parent, and a process that started the database owns it.
function mayMove({ kind, started }: JoinedPostgres, { attached = false }: WorkerOptions): boolean {
  return !attached && kind === 'embedded' && started === 'joined'
}

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
