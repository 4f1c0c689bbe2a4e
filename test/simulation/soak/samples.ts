// Samples taken every few seconds: memory and descriptors of each process, and queue lengths.

import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { RunDatabase } from '../servers/run-database.ts'
import { RunSession } from '../servers/run-session.ts'
import type { Measure } from './evaluate-soak.ts'

export type Sample = { at_s: number } & Record<string, number | undefined>

export const measures: Measure[] = [
  { name: 'server_rss', kind: 'memory', unit: 'MB' },
  { name: 'server_heap', kind: 'memory', unit: 'MB' },
  { name: 'worker_rss', kind: 'memory', unit: 'MB' },
  { name: 'postgres_private', kind: 'memory', unit: 'MB' },
  { name: 'server_descriptors', kind: 'handles', unit: 'count' },
  { name: 'worker_descriptors', kind: 'handles', unit: 'count' },
  { name: 'server_handles', kind: 'handles', unit: 'count' },
  { name: 'backends', kind: 'handles', unit: 'count' },
  { name: 'lanes_waiting', kind: 'queue', unit: 'count' },
  { name: 'pool_waiting', kind: 'queue', unit: 'count' },
  { name: 'request_log_waiting', kind: 'queue', unit: 'count' },
  { name: 'transactions_due', kind: 'queue', unit: 'count' },
  { name: 'payments_due', kind: 'queue', unit: 'count' },
  { name: 'subscriptions_due', kind: 'queue', unit: 'count' },
  { name: 'emails_due', kind: 'queue', unit: 'count' },
  { name: 'webhooks_due', kind: 'queue', unit: 'count' },
  { name: 'database', kind: 'reported', unit: 'MB' },
]

const mb = 1024 * 1024

interface SampledServer {
  server_pid: number
  port: number
  database: RunDatabase
}

export class Sampler {
  readonly #target: SampledServer
  readonly #session: RunSession
  readonly #started_ms = performance.now()
  readonly samples: Sample[] = []
  #worker_pid: number | undefined
  restarts = 0

  constructor(target: SampledServer) {
    this.#target = target
    this.#session = new RunSession(target.database, 'florin soak')
  }

  async takeSample(): Promise<Sample> {
    const { server_pid, port } = this.#target
    const worker_pid = await this.#findWorker()
    const [server, worker, postgres, metrics, queues] = await Promise.all([
      sampleProcess('server', server_pid),
      worker_pid === undefined ? {} : sampleProcess('worker', worker_pid),
      this.#samplePostgres(),
      readMetrics(port),
      this.#countQueues(),
    ])
    const at_s = (performance.now() - this.#started_ms) / 1_000
    const sample = { at_s, ...server, ...worker, ...postgres, ...metrics, ...queues }
    this.samples.push(sample)
    return sample
  }

  close(): Promise<void> {
    return this.#session.close()
  }

  async #findWorker(): Promise<number | undefined> {
    const { server_pid, database } = this.#target
    const [postmaster] = await database.pids()
    const children = (await listProcesses()).filter(({ parent }) => parent === server_pid)
    const found = children.find(({ pid }) => pid !== postmaster)?.pid
    if (this.#worker_pid !== undefined && found !== this.#worker_pid) this.restarts += 1
    this.#worker_pid = found
    return found
  }

  // Resident memory would count shared buffers once per process.
  async #samplePostgres(): Promise<Record<string, number | undefined>> {
    const pids = await this.#target.database.pids()
    let kb = 0
    for (const pid of pids) {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
      kb += Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0)
    }
    return { postgres_private: kb === 0 ? undefined : kb / 1024 }
  }

  async #countQueues(): Promise<Record<string, number>> {
    const [row] = await this.#session.rows<Record<string, string>>(`
      select
        (select count(*) from transactions where status = 'pending' and due_at <= now())
          as transactions_due,
        (select count(*) from payment_requests where status = 'pending' and due_at <= now())
          as payments_due,
        (select count(*) from subscriptions where status = 'active' and next_at <= now())
          as subscriptions_due,
        (select count(*) from emails where state = 'queued' and next_at <= now()) as emails_due,
        (select count(*) from webhook_deliveries where status = 'pending' and next_at <= now())
          as webhooks_due,
        (select count(*) from pg_stat_activity
          where backend_type = 'client backend' and pid <> pg_backend_pid()) as backends,
        pg_database_size(current_database()) / ${mb} as database`)
    return Object.fromEntries(Object.entries(row!).map(([name, value]) => [name, Number(value)]))
  }
}

async function sampleProcess(
  name: string,
  pid: number,
): Promise<Record<string, number | undefined>> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
  // Only Linux lists the descriptors of another process.
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => undefined)
  return { [`${name}_rss`]: Number(stdout) / 1024, [`${name}_descriptors`]: descriptors?.length }
}

async function listProcesses(): Promise<{ pid: number; parent: number }[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid='])
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid, parent]) => ({ pid: pid!, parent: parent! }))
}

async function readMetrics(port: number): Promise<Record<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return {
    server_heap: sumOf(text, 'nodejs_heap_size_used_bytes') / mb,
    server_handles: sumOf(text, 'nodejs_active_handles_total'),
    lanes_waiting: sumOf(text, 'florin_lane_waiting'),
    lanes_waiting_for_lock: sumOf(text, 'florin_lane_blocked'),
    pool_waiting: ['requests', 'lanes', 'waiting'].reduce((sum, pool) => {
      return sum + sumOf(text, `florin_database_clients{pool="${pool}",state="waiting"}`)
    }, 0),
    request_log_waiting: sumOf(text, 'florin_request_log_waiting'),
  }
}

/** Sums all labels of a metric, or returns one series if the name includes labels. */
export function sumOf(text: string, name: string): number {
  const lines = text.split('\n').filter((line) => {
    const rest = line.startsWith(name) ? line[name.length] : undefined
    return rest === ' ' || rest === '{'
  })
  if (lines.length === 0) throw new Error(`/metrics has no ${name}`)
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
}
