// The jobs of a worker. Several workers may run; leases divide the work.

import type { Logger } from 'pino'
import { emailBrandFinder } from './accounts/branding/email-brand.ts'
import { sweepEmailChanges } from './accounts/email-change.ts'
import { findRecipient } from './accounts/find-accounts.ts'
import { type Settler, settleEntries } from './bank-statements/settle-entries.ts'
import type { Config } from './config.ts'
import { sweepDashboardSessions } from './dashboard/cookie-session.ts'
import { dueDisputeJob } from './disputes/resolve-dispute.ts'
import { newEmailRotation } from './email/claim-emails.ts'
import { disableEmailDelivery, sweepEmails } from './email/outbox.ts'
import { sendDue } from './email/send-due.ts'
import type { SmtpTransport } from './email/smtp-transport.ts'
import type { StoredEmail } from './email/stored-email.ts'
import { sweepEvents } from './events/sweep-events.ts'
import { sweepStoredResponses } from './idempotency/stored-responses.ts'
import { sweepChallenges } from './identity/factors/passkeys.ts'
import { resealer } from './identity/factors/reseal-secrets.ts'
import { SecretKeys } from './identity/factors/secret-keys.ts'
import { sweepThrottle } from './identity/login/login-throttle.ts'
import { sweepOidcAttempts } from './identity/oidc/attempts.ts'
import { sweepInvitations } from './identity/one-time-links/accept-invitation.ts'
import { sweepLinks } from './identity/one-time-links/link.ts'
import { sendResetLinks } from './identity/one-time-links/request-reset.ts'
import { sweepSessions } from './identity/sessions/sweep-sessions.ts'
import { sweepKnownDevices } from './identity/users/known-devices.ts'
import { suspendCreatedUsers } from './identity/users/suspend-created-users.ts'
import { slot_count } from './jobs/due-work.ts'
import type { Job, JobContext, JobResult } from './jobs/timer.ts'
import { cleanUpJob } from './operations/clean-up-job.ts'
import { deleteUnverifiedJob } from './operations/delete-unverified.ts'
import { importBalances } from './operations/import-balances.ts'
import { reconcileHourly } from './operations/reconcile.ts'
import { weeklySummaryJob } from './operations/weekly-summary.ts'
import { checkCheckoutsJob } from './payments/check-checkouts.ts'
import { findSuppressionReason } from './payments/emails.ts'
import { PaymentLanes } from './payments/lanes.ts'
import { receiveSnapshot } from './payments/receive-snapshot.ts'
import { paymentRequests } from './payments/refunds.ts'
import { duePaymentJob } from './payments/run-due.ts'
import { settleOutgoing } from './payouts/settle-outgoing.ts'
import type { Db } from './postgres/database.ts'
import { type Sweep, sweepEvidence } from './postgres/sweep.ts'
import {
  type InboxParts,
  listChanges,
  processEvents,
  sweepProviderEvents,
} from './processors/inbox.ts'
import { type Processor, takesCards } from './processors/processor.ts'
import { sweepRequestLog } from './request-log/request-log.ts'
import { settleBankEntry } from './settlements/settle-bank-entry.ts'
import { SubscriptionLanes } from './subscriptions/lanes.ts'
import { dueSubscriptionJob } from './subscriptions/run-due.ts'
import { TransactionLanes } from './transactions/lanes.ts'
import { dueSettlementJob, settlesAutomatically } from './transactions/settle-due.ts'
import { submitRefundsJob } from './transactions/submit-refunds.ts'
import { completeTransfersJob } from './transfers/complete-transfers.ts'
import { sweepWebhooks } from './webhooks/outbox.ts'
import type { Dispatcher } from './webhooks/sending/dispatcher.ts'

const minute_ms = 60_000

/** Senders with open connections, which must be closed when the worker stops. */
interface OutboundSenders {
  /** Undefined if no SMTP server is configured. */
  transport: SmtpTransport | undefined
  webhooks: Dispatcher
}

// A round contains a pause, which ends early when there is more to send. This interval applies only
// to a worker without slots and after an error.
const webhooks_every_ms = 500

interface WorkerParts {
  db: Db
  log: Logger
  config: Config
  processor: Processor
}

export function jobsOf(
  parts: WorkerParts,
  { transport, webhooks }: Partial<OutboundSenders> = {},
): Job[] {
  return [
    ...Object.entries(sweeps).map(([name, run]) => sweepJob(name, 10 * minute_ms, run)),
    sweepJob('reseal_secrets', 10 * minute_ms, resealer(new SecretKeys(parts.config.secret_keys))),
    // Their access ended when the key was revoked: only their displayed status waits for this job.
    sweepJob('suspend_created_users', 1_000, suspendCreatedUsers),
    emailJob(parts, transport),
    ...(webhooks === undefined
      ? []
      : [slottedJob('send_webhooks', webhooks_every_ms, (context) => webhooks.round(context))]),
    ...dueJobs(parts),
  ]
}

const sweeps: Record<string, Sweep> = {
  sweep_sessions: sweepSessions,
  sweep_dashboard_sessions: sweepDashboardSessions,
  sweep_login_throttle: sweepThrottle,
  sweep_webauthn_challenges: sweepChallenges,
  sweep_oidc_attempts: sweepOidcAttempts,
  sweep_stored_responses: sweepStoredResponses,
  sweep_known_devices: sweepKnownDevices,
  sweep_emails: sweepEmails,
  sweep_events: sweepEvents,
  sweep_request_log: sweepRequestLog,
  sweep_email_changes: sweepEmailChanges,
  sweep_one_time_links: sweepLinks,
  sweep_invitations: sweepInvitations,
  sweep_webhooks: sweepWebhooks,
  sweep_provider_events: sweepProviderEvents,
  sweep_commit_evidence: sweepEvidence,
}

function sweepJob(name: string, every_ms: number, run: Sweep): Job {
  return {
    name,
    every_ms,
    run: async (db, { signal }) => ({ done: await run(db, signal), more: false }),
  }
}

// Users wait for the email that a page has just announced. At most four workers send at a time, to
// avoid overloading the SMTP server.
const send_every_ms = 1_000
const senders_max = 4

function emailJob(
  { log, config, processor }: WorkerParts,
  transport: SmtpTransport | undefined,
): Job {
  if (transport === undefined) return sweepJob('store_emails', minute_ms, disableEmailDelivery)
  const name = 'send_emails'
  const takes_cards = takesCards(processor)
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
      const findBrand = emailBrandFinder(db, config.public_url)
      const parts = { ...options, db, transport, rotation, report, findSuppression, findBrand }
      return sendDue(parts, context)
    },
  }
}

// Settlement times are whole seconds, so a delay of one second is acceptable. A poll costs two
// small statements. One second of due work fills a few batches; polling more often would produce
// many small ones, each with a separate commit. Reminders, expiries and periods are due after days.
const settle_every_ms = 1_000
const due_every_ms = 10_000
// A canceled request must not be paid: its checkout is ended at the provider within seconds.
const checkouts_every_ms = 1_000

// The person who imports a statement waits for the result.
const bank_every_ms = 1_000

// It compares once per hour. An earlier round only reads when it last did.
const reconcile_every_ms = 10 * minute_ms

// Not urgent: a closed account already behaves as if all slices had run. A poll is one statement.
const closings_every_ms = 2_000

function dueJobs({ db, log, config, processor }: WorkerParts): Job[] {
  const { public_url } = config
  const report = (job: string, message: string) => (err: unknown, failed: number) =>
    log.warn({ err, job, failed }, message)
  const lanes = new TransactionLanes(db, {}, paymentRequests(public_url))
  const settle = dueSettlementJob(
    { db, lanes, processor },
    report('settle_due', 'failed to settle due transactions'),
  )
  const { providers } = processor
  const payment_lanes = new PaymentLanes(db, public_url, { has_providers: providers.length > 0 })
  const runPayments = duePaymentJob(
    { db, payment_lanes },
    report('due_payments', 'failed to process due payment requests'),
  )
  const loseDisputes = dueDisputeJob(db, report('due_disputes', 'failed to end due disputes'))
  const completeTransfers = completeTransfersJob(
    db,
    report('complete_transfers', 'failed to complete transfers between accounts'),
  )
  const snapshots = { db, payment_lanes, late_payments: config.late_payments }
  // What bank entries settle besides payment requests.
  const settlers: Settler[] = [
    async (_, entry) => (entry.target === null ? settleBankEntry(db, entry) : undefined),
    (_, entry) => settleOutgoing({ db, lanes }, entry),
  ]
  const checkCheckouts = checkCheckoutsJob(
    { ...snapshots, providers },
    report('check_checkouts', 'failed to check checkouts at a provider'),
  )
  const inbox: InboxParts = {
    db,
    providers,
    receive: (provider, provider_id) => receiveSnapshot(snapshots, provider, provider_id),
    report: (err, { name: provider }) =>
      log.warn({ err, provider }, 'failed to process messages of a provider'),
  }
  const runSubscriptions = dueSubscriptionJob(
    { db, subscription_lanes: new SubscriptionLanes(db, public_url) },
    report('due_subscriptions', 'failed to process due subscriptions'),
  )
  const submitRefunds = submitRefundsJob(
    { db, lanes, providers },
    report('submit_refunds', 'failed to send refunds to their provider'),
  )
  const reportEntries = report('settle_bank_entries', 'failed to settle bank entries')
  const sendSummaries = weeklySummaryJob(
    db,
    report('weekly_summaries', 'failed to write weekly summaries'),
  )
  const finishClosings: Round = (context) =>
    cleanUpJob({ db, public_url }, context, (err, account_id) => {
      const job = 'finish_closings'
      log.warn({ err, job, account_id }, 'failed to continue an account closing')
    })
  const deleteUnverified: Round = (context) => deleteUnverifiedJob({ db, public_url }, context)
  const settlement = slottedJob('settle_due', settle_every_ms, settle)
  const refunds = slottedJob('submit_refunds', settle_every_ms, submitRefunds)
  return [
    ...(settlesAutomatically(processor) ? [settlement] : []),
    ...(providers.length > 0 ? [refunds] : []),
    slottedJob('due_payments', due_every_ms, runPayments),
    slottedJob('complete_transfers', settle_every_ms, completeTransfers),
    // Only disputes of sandbox cards are due: providers decide about theirs.
    ...(config.mode === 'sandbox' ? [slottedJob('due_disputes', due_every_ms, loseDisputes)] : []),
    ...(providers.length > 0
      ? [slottedJob('check_checkouts', checkouts_every_ms, checkCheckouts), ...inboxJobs(inbox)]
      : []),
    {
      name: 'settle_bank_entries',
      every_ms: bank_every_ms,
      run: (_, context) => settleEntries({ ...snapshots, settlers }, context, reportEntries),
    },
    {
      name: 'reconcile',
      every_ms: reconcile_every_ms,
      run: () => reconcileHourly(db, { has_providers: providers.length > 0 }),
    },
    slottedJob('due_subscriptions', due_every_ms, runSubscriptions),
    slottedJob('weekly_summaries', due_every_ms, sendSummaries),
    slottedJob('finish_closings', closings_every_ms, finishClosings),
    {
      name: 'send_reset_links',
      every_ms: send_every_ms,
      run: (_, context) => sendResetLinks({ db, public_url, findLocale: findRecipient }, context),
    },
    {
      name: 'delete_unverified_users',
      every_ms: minute_ms,
      run: (_, context) => deleteUnverified(context),
    },
  ]
}

// A payer waits for the result of a payment. Changes are listed only in case a message was lost.
const events_every_ms = 1_000
// Rows are claimed under a lease. More workers would exceed the provider's rate limit.
const event_workers_max = 4
const changes_every_ms = minute_ms
// Settlements happen once a day. `florin reconcile` imports what is new before it compares.
const balances_every_ms = 10 * minute_ms

function inboxJobs(inbox: InboxParts): Job[] {
  return [
    {
      name: 'provider_events',
      every_ms: events_every_ms,
      slots: event_workers_max,
      run: (_, context) => processEvents(inbox, context),
    },
    {
      name: 'provider_changes',
      every_ms: changes_every_ms,
      run: (_, context) => listChanges(inbox, context),
    },
    {
      name: 'import_balances',
      every_ms: balances_every_ms,
      run: (_, context) => importBalances(inbox, context),
    },
  ]
}

type Round = (context: JobContext) => Promise<JobResult>

/** A job that workers share by account: each handles the accounts of its slots. */
function slottedJob(name: string, every_ms: number, round: Round): Job {
  return { name, every_ms, slots: slot_count, run: (_, context) => round(context) }
}
