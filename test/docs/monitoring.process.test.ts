// The alert rules and the Grafana dashboard in a real Prometheus that scrapes a real Florin.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startFlorin } from '../support/florin.ts'
import { findFreePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'
import { startSpanReceiver } from '../tracing/span-receiver.ts'
import { TransactionFixtures } from '../transactions/transaction-fixtures.ts'
import { alerts_path, dashboard_path, readAlerts, readDashboard } from './monitoring-files.ts'

const receiver = await startSpanReceiver()
const florin = await startFlorin({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })
after(() => receiver.stop())

const isMissing = (command: string) => spawnSync(command, ['--version']).error !== undefined
const no_prometheus =
  isMissing('promtool') || isMissing('prometheus')
    ? 'prometheus is not installed: see CONTRIBUTING.md'
    : undefined

function promtool(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
  return stdout
}

test('promtool accepts the alert rules', (t) => {
  if (no_prometheus !== undefined) return t.skip(no_prometheus)
  const found = promtool('check', 'rules', '--lint=all', '--lint-fatal', alerts_path)
  assert.match(found, new RegExp(`SUCCESS: ${readAlerts().length} rules found`))
})

test('each alert fires for its cause and not for healthy values', (t) => {
  if (no_prometheus !== undefined) return t.skip(no_prometheus)
  const tests = fileURLToPath(new URL('florin-alerts.test.yml', import.meta.url))
  assert.match(promtool('test', 'rules', tests), /SUCCESS/)
})

/** Returns its URL. It scrapes Florin every second. */
async function startPrometheus(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'florin-prometheus-'))
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [alerts_path],
    scrape_configs: [
      { job_name: 'florin', static_configs: [{ targets: [new URL(florin.url).host] }] },
    ],
  }
  // JSON is YAML.
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const address = `127.0.0.1:${await findFreePort()}`
  const flags = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`,
    '--log.level=error',
  ]
  const child = spawn('prometheus', flags, { stdio: 'ignore' })
  t.after(async () => {
    child.kill()
    await once(child, 'exit')
    await rm(folder, { recursive: true, force: true })
  })
  const url = `http://${address}`
  await until(() =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return url
}

async function get(url: string, path: string, query: Record<string, string> = {}) {
  const response = await fetch(`${url}${path}?${new URLSearchParams(query)}`)
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of Prometheus.
  const { status, data, error }: any = await response.json()
  assert.equal(status, 'success', error)
  return data
}

/** What Grafana replaces in the expressions of a dashboard. */
function replaceVariables(expr: string): string {
  return expr
    .replaceAll('$__rate_interval', '10s')
    .replaceAll('$__range', '30s')
    .replaceAll('$job', '.+')
    .replaceAll('$instance', '.+')
}

// A healthy server has no errors, and does not restart while the test runs.
const empty_when_healthy = new Set(['Errors by route', 'Starts'])

test('every panel shows data of a server, and no alert fires', async (t) => {
  if (no_prometheus !== undefined) return t.skip(no_prometheus)
  const url = await startPrometheus(t)
  const till = new TransactionFixtures(florin, await florin.people.admin())
  const shop = await till.shop()
  const { expressions, dashboard } = readDashboard()
  assert.ok(expressions.length > 25, `only ${expressions.length}`)
  const query = async (expr: string) =>
    (await get(url, '/api/v1/query', { query: replaceVariables(expr) })).result
  for (const { title, expr } of expressions) {
    if (empty_when_healthy.has(title)) {
      assert.deepEqual(await query(expr), [], title)
      continue
    }
    await until(async () => {
      await till.create(shop)
      const result: { value: [number, string] }[] = await query(expr)
      return result.length > 0 && result.every(({ value: [, text] }) => Number(text) >= 0)
    }, `${title}: ${expr}`)
  }
  for (const { query: given } of dashboard.templating.list) {
    if (typeof given === 'string') continue
    const found = /^label_values\((.+), (\w+)\)$/.exec(given.query)!
    const match = { 'match[]': replaceVariables(found[1]!) }
    const values = await get(url, `/api/v1/label/${found[2]}/values`, match)
    assert.equal(values.length, 1, found[0])
  }
  // This test runs no worker. The first evaluations may have found no data yet.
  await until(async () => {
    const { groups } = await get(url, '/api/v1/rules')
    const rules: { name: string; health: string; state: string }[] = groups[0].rules
    const raised = rules.filter(({ state }) => state !== 'inactive').map(({ name }) => name)
    if (rules.some(({ health }) => health === 'unknown') || raised.length === 0) return false
    assert.deepEqual(
      rules.map(({ name, health }) => [name, health]),
      readAlerts().map(({ alert }) => [alert, 'ok']),
    )
    assert.deepEqual(raised, ['FlorinWorkerDown'])
    return true
  }, 'the alert about the worker')
})

const python = process.env.MONITORING_PYTHON ?? 'python3'
const has_grafana_sdk = spawnSync(python, ['-c', 'import grafana_foundation_sdk']).status === 0

// Parses the dashboard into the classes that Grafana generates from its schema, and writes it
// again. A field that Grafana does not know, or reads as another type, is lost or changed.
const compare_script = `
import json, sys
from grafana_foundation_sdk.cog import plugins
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.dashboard import Dashboard
plugins.register_default_plugins()
def compare(given, known, path):
    if isinstance(given, dict) and isinstance(known, dict):
        for key, value in given.items():
            if key in known: compare(value, known[key], f"{path}/{key}")
            else: print(f"{path}/{key} is unknown")
    elif isinstance(given, list) and isinstance(known, list) and len(given) == len(known):
        for at, value in enumerate(given): compare(value, known[at], f"{path}/{at}")
    elif given != known or type(given) is not type(known):
        print(f"{path} is {given!r}, read as {known!r}")
given = json.load(open(sys.argv[1]))
compare(given, json.loads(JSONEncoder().encode(Dashboard.from_json(given))), "")
`

test("Grafana's classes know every field of the dashboard", (t) => {
  if (!has_grafana_sdk) {
    return t.skip('grafana-foundation-sdk is not installed: see CONTRIBUTING.md')
  }
  const args = ['-c', compare_script, dashboard_path]
  const { stdout, stderr, status } = spawnSync(python, args, { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.equal(stdout, '')
})
