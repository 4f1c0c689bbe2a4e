// The alert rules and the Grafana dashboard use metrics that exist, with labels that exist.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { until } from '../support/until.ts'
import { startSpanReceiver } from '../tracing/span-receiver.ts'
import { type Panel, readAlerts, readDashboard } from './monitoring-files.ts'

const receiver = await startSpanReceiver()
const florin = await startFlorin({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })
after(() => receiver.stop())

const { dashboard, expressions } = readDashboard()
const alerts = readAlerts()

/** Names of series, each with the names of its labels. */
async function readSeries(): Promise<Map<string, Set<string>>> {
  let text = ''
  await until(async () => {
    text = (await florin.call('GET', '/metrics')).text
    // These are exported once work was counted, and once garbage was collected.
    return text.includes('florin_work_due{') && text.includes('nodejs_gc_duration_seconds_sum')
  })
  const series = new Map([['up', new Set<string>()]])
  for (const [, name, labels] of text.matchAll(/^([a-z]\w+)(?:\{(.*)\})? /gm)) {
    const names = (labels ?? '').matchAll(/(\w+)="/g).map(([, label]) => label!)
    const known = series.get(name!) ?? new Set()
    series.set(name!, known.union(new Set(names)))
  }
  return series
}

test('every metric in a rule or a panel is exported, with its labels', async () => {
  await florin.call('GET', '/v1/account')
  const series = await readSeries()
  const used = [...expressions, ...alerts].flatMap(({ expr }) => [
    ...expr.matchAll(/\b(up|(?:florin|nodejs|process)_\w+)(?:\{([^}]*)\})?/g),
  ])
  assert.ok(used.length > 40, `only ${used.length}`)
  for (const [, name, matchers] of used) {
    const labels: Set<string> | undefined = series.get(name!)
    assert.ok(labels !== undefined, `${name} is not exported`)
    for (const [, label] of (matchers ?? '').matchAll(/(\w+)\s*=/g)) {
      const is_known: boolean = labels.has(label!) || label === 'job' || label === 'instance'
      assert.ok(is_known, `${name} has no label ${label}`)
    }
  }
})

test('every metric of Florin is in the guide', async () => {
  const guide = readFileSync(new URL('../../docs/guides/monitoring.md', import.meta.url), 'utf8')
  const names = [...(await readSeries()).keys()].filter((name) => name.startsWith('florin_'))
  assert.ok(names.length >= 14, `only ${names.length}`)
  for (const name of names) {
    const base = name.replace(/_(bucket|sum|count)$/, '')
    assert.ok(guide.includes(`\`${base}\``), `${base} is not in the guide`)
  }
  for (const { alert } of alerts) assert.ok(guide.includes(`\`${alert}\``), alert)
})

test('panels have distinct ids and do not overlap', () => {
  const { panels } = dashboard
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  const taken = new Map<string, string>()
  for (const { title, gridPos } of panels) {
    assert.ok(gridPos.x + gridPos.w <= 24, title)
    for (const cell of cellsOf(gridPos)) {
      assert.equal(taken.get(cell), undefined, `${title} overlaps`)
      taken.set(cell, title)
    }
  }
  const titled = panels.filter(({ type }) => type !== 'row')
  for (const { description, title } of titled) assert.match(description ?? '', /\.$/, title)
})

function cellsOf({ x, y, w, h }: Panel['gridPos']): string[] {
  const columns = Array.from({ length: w }, (_, n) => x + n)
  return columns.flatMap((column) => Array.from({ length: h }, (_, n) => `${column},${y + n}`))
}
