// Trace check of florin doctor: sends one span to the collector.

import type { Config } from '../../config.ts'
import { openTracing } from '../../tracing/open-tracing.ts'
import { version } from '../../version.ts'
import { type Finding, ok, warn } from './finding.ts'

const check = 'Traces'

/** Nothing if traces are off. A failure is a warning: Florin runs without them. */
export async function checkTraces(config: Config): Promise<Finding[]> {
  if (config.traces === undefined) return []
  const { origin } = new URL(config.traces.url)
  const failure = await sendSpan(config)
  if (failure === undefined) return [ok(check, `sent to ${origin}`)]
  const advice =
    'Florin runs without traces. Check OTEL_EXPORTER_OTLP_ENDPOINT, and that the collector ' +
    'accepts OTLP over HTTP there.'
  return [warn(check, `Not sent to ${origin}: ${failure}. ${advice}`)]
}

/** Returns why it failed. */
async function sendSpan({ traces }: Config): Promise<string | undefined> {
  const failures: string[] = []
  const log = { warn: ({ reason = '' }: { reason?: string }) => void failures.push(reason) }
  const pace = { retries_max: 0 }
  const tracing = openTracing(traces, { kind: 'doctor', version, log, pace })
  tracing?.tracer.record({ name: 'florin doctor', kind: 'internal' }).end()
  await tracing?.close()
  return failures[0]
}
