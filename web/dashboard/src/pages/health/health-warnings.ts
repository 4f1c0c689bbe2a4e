// Warnings derived from one health report. Pure functions, so each rule can be tested.

import type { Health, Processor } from '../../api/api-types.ts'
import { providerName } from '../transactions/provider-text.ts'

interface Warning {
  key: string
  /** The problem. */
  title: string
  /** Its effect, and what to do. */
  text: string
}

type Rule = (health: Health) => Warning | undefined

// The last minute. One slow ten-second interval is not a warning.
const recent_points = 6

export function warningsOf(health: Health): Warning[] {
  return rules.map((rule) => rule(health)).filter((warning) => warning !== undefined)
}

const rules: Rule[] = [
  workerStopped,
  unsafeSettings,
  noEmail,
  adminsWithoutFactor,
  serverErrors,
  slowResponses,
  busyLoop,
  queuedForConnections,
  manyConnections,
  oldTransaction,
  backlog,
  stalledClosings,
]

function workerStopped({ worker }: Health): Warning | undefined {
  if (worker.running) return undefined
  return {
    key: 'worker',
    title: 'No worker is running.',
    text: 'Nothing settles or expires, and no emails or webhooks are sent. Start a worker.',
  }
}

// With any of these off, a machine failure can lose or corrupt committed data.
function unsafeSettings({ database: { settings } }: Health): Warning | undefined {
  const unsafe = Object.entries(settings).filter(([, value]) => !/^(on|remote_apply)$/.test(value))
  if (unsafe.length === 0) return undefined
  const list = unsafe.map(([name, value]) => `${name}=${value}`).join(', ')
  return {
    key: 'settings',
    title: `The database runs with ${list}.`,
    text: settingsAdvice(unsafe.map(([name]) => name)),
  }
}

function settingsAdvice(names: string[]): string {
  const risk = 'A machine failure can lose or corrupt acknowledged payments.'
  const checksums = 'For checksums, stop PostgreSQL and run pg_checksums --enable.'
  const is_checksums_alone = names.length === 1 && names[0] === 'data_checksums'
  if (is_checksums_alone) return `${risk} ${checksums}`
  return `${risk} Turn it on.${names.includes('data_checksums') ? ` ${checksums}` : ''}`
}

function noEmail({ server: { mode, sends_email } }: Health): Warning | undefined {
  if (mode === 'sandbox' || sends_email) return undefined
  return {
    key: 'email',
    title: 'No SMTP server is configured.',
    text: 'Customers get no payment links or receipts. Set FLORIN_SMTP_URL and FLORIN_EMAIL_FROM.',
  }
}

function adminsWithoutFactor({ server }: Health): Warning | undefined {
  const { admins_without_factor: n } = server
  if (n === 0) return undefined
  return {
    key: 'factors',
    title: n === 1 ? 'One admin has no second factor.' : `${n} admins have no second factor.`,
    text:
      'After seven days an admin without one can only add it, under Settings, Security. ' +
      'florin doctor lists them.',
  }
}

function serverErrors(health: Health): Warning | undefined {
  const rate = meanOf(recent(health).map((point) => point.requests_per_s['5xx']))
  if (rate === undefined || rate === 0) return undefined
  return {
    key: 'errors',
    title: 'Requests are failing with 5xx.',
    text: `${rate.toFixed(2)} per second over the last minute. Check the server log.`,
  }
}

const slow_ms = 1_000

function slowResponses(health: Health): Warning | undefined {
  const slow = recent(health).filter((point) => (point.latency_ms.p99 ?? 0) > slow_ms)
  if (slow.length < 3) return undefined
  return {
    key: 'slow',
    title: '1% of requests take longer than a second.',
    text: 'For at least half of the last minute. Check the queues, the database and the CPU.',
  }
}

const loop_delay_ms = 200

function busyLoop(health: Health): Warning | undefined {
  const late = recent(health).filter((point) => point.event_loop_delay_ms.p99 > loop_delay_ms)
  if (late.length < 3) return undefined
  return {
    key: 'loop',
    title: 'The process is short of CPU time.',
    text: `Timers are more than ${loop_delay_ms} ms late. Add a process or a faster machine.`,
  }
}

function queuedForConnections(health: Health): Warning | undefined {
  const waited = recent(health).filter((point) => point.pool.waiting > 0)
  if (waited.length < 3) return undefined
  return {
    key: 'pool',
    title: 'Requests are waiting for a database connection.',
    text: 'The pool is too small for the load, or slow statements occupy it.',
  }
}

function manyConnections({ database: { connections } }: Health): Warning | undefined {
  const used = connections.active + connections.idle + connections.in_transaction
  if (used < connections.max * 0.8) return undefined
  return {
    key: 'connections',
    title: `${used} of ${connections.max} database connections are in use.`,
    text: 'When all are in use, requests fail. Raise max_connections or stop idle clients.',
  }
}

const long_transaction_s = 60

function oldTransaction({ database: { oldest_transaction_s: age } }: Health): Warning | undefined {
  if (age === null || age < long_transaction_s) return undefined
  return {
    key: 'old',
    title: `A database transaction has been open for ${Math.round(age)} seconds.`,
    text: 'It delays vacuum and may hold locks. Find it in pg_stat_activity.',
  }
}

// A worker that keeps up has close to none.
const due_many = 100

function backlog({ worker }: Health): Warning | undefined {
  const due = dueOf(worker)
  if (!worker.running || due < due_many) return undefined
  return {
    key: 'backlog',
    title: `${due} items are overdue.`,
    text: 'The worker cannot keep up. Check its log, or start another worker.',
  }
}

function stalledClosings({ worker: { closings } }: Health): Warning | undefined {
  if (closings.stalled === 0) return undefined
  return {
    key: 'closings',
    title: `Stalled account closings: ${closings.stalled}.`,
    text: 'No progress for 10 minutes or more. Search the worker log for finish_closings.',
  }
}

/** For each provider: calls that fail, and money that arrived without a payment request. */
export function providerWarnings(processor: Processor | undefined): Warning[] {
  return (processor?.providers ?? []).flatMap(({ name, state, unmatched }) => {
    const provider = providerName(name)
    const failing: Warning = {
      key: `${name} failing`,
      title: `${provider} is failing.`,
      text: 'Payments and refunds there may be delayed. The last error is below.',
    }
    const found = unmatched.count
    const lost: Warning = {
      key: `${name} unmatched`,
      title: `${found} ${found === 1 ? 'payment' : 'payments'} at ${provider} cannot be matched.`,
      text: 'Nothing was recorded. Check the list below and refund them at the provider.',
    }
    return [...(state === 'failing' ? [failing] : []), ...(found > 0 ? [lost] : [])]
  })
}

export function dueOf(worker: Health['worker']): number {
  const { transactions_due, payments_due, subscriptions_due } = worker
  const queued = worker.emails.due + worker.webhooks.due + worker.provider_events.due
  return transactions_due + payments_due + subscriptions_due + queued
}

export function recent({ server }: Health): Health['server']['history'] {
  return server.history.slice(-recent_points)
}

function meanOf(values: number[]): number | undefined {
  if (values.length === 0) return undefined
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
