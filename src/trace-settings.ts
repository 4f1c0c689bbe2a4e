// Settings of traces, under the names that OpenTelemetry defines. Without an endpoint there are no
// traces. Headers usually contain a token and are never echoed.

import { decodePercent } from './primitives/text.ts'
import { parseWebAddress } from './server-urls.ts'

export interface TraceSettings {
  /** If undefined, nothing is recorded. */
  traces: TraceExport | undefined
}

export interface TraceExport {
  /** Receives OTLP requests. */
  url: string
  headers: Record<string, string>
  /** Which share of the traces is recorded, from 0 to 1. */
  sample_ratio: number
  service_name: string
  /** More attributes of this process, such as `deployment.environment.name`. */
  resource: Record<string, string>
}

/** The part of config.ts that this file uses. */
interface SettingReader {
  readonly faults: string[]
  text(name: string): string | undefined
}

export const traceSettingNames = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_SDK_DISABLED',
] as const

type Name = (typeof traceSettingNames)[number]

export function readTraceSettings(read: SettingReader): TraceSettings {
  const text = (name: Name) => read.text(name)?.trim()
  const is_disabled = text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true'
  const url = is_disabled ? undefined : readUrl(read, text)
  if (url === undefined) return { traces: undefined }
  requireJson(read, text('OTEL_EXPORTER_OTLP_PROTOCOL'))
  const { 'service.name': name, ...resource } = readPairs(read, 'OTEL_RESOURCE_ATTRIBUTES')
  return {
    traces: {
      url,
      headers: readHeaders(read),
      sample_ratio: readRatio(read, text('OTEL_TRACES_SAMPLER_ARG')),
      service_name: text('OTEL_SERVICE_NAME') ?? name ?? 'florin',
      resource,
    },
  }
}

/** The first endpoint is a base URL for all signals, the second is used as it is. */
function readUrl(
  read: SettingReader,
  text: (name: Name) => string | undefined,
): string | undefined {
  const exact = text('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  const base = text('OTEL_EXPORTER_OTLP_ENDPOINT')
  if (exact === undefined && base === undefined) return undefined
  const name = exact ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT'
  const given = exact ?? base ?? ''
  const address = parseWebAddress(given)
  if ('url' in address) return exact ? address.url : `${address.url}/v1/traces`
  // The text before an @ may be a password.
  const got = given.includes('@') ? '' : `; got ${JSON.stringify(given)}`
  read.faults.push(`${name} ${address.rule}${got}.`)
  return undefined
}

function requireJson(read: SettingReader, protocol: string | undefined): void {
  if (protocol === undefined || protocol === 'http/json') return
  read.faults.push(
    'OTEL_EXPORTER_OTLP_PROTOCOL must be "http/json" or not set, because Florin sends traces as ' +
      `JSON over HTTP; got ${JSON.stringify(protocol)}. Collectors accept it on port 4318.`,
  )
}

function readRatio(read: SettingReader, text: string | undefined): number {
  if (text === undefined) return 1
  const ratio = /^(\d{1,3}(\.\d{1,12})?|\.\d{1,12})$/.test(text) ? Number(text) : Number.NaN
  if (ratio >= 0 && ratio <= 1) return ratio
  const rule = 'must be a number from 0 to 1, such as 0.1 for a tenth of the traces'
  read.faults.push(`OTEL_TRACES_SAMPLER_ARG ${rule}; got ${JSON.stringify(text)}.`)
  return 1
}

function readHeaders(read: SettingReader): Record<string, string> {
  const pairs = Object.entries(readPairs(read, 'OTEL_EXPORTER_OTLP_HEADERS'))
  const isValid = ([name, value]: [string, string]) =>
    /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\x20-\x7e]*$/.test(value)
  if (!pairs.every(isValid)) {
    read.faults.push(
      'OTEL_EXPORTER_OTLP_HEADERS must have valid names and values of HTTP headers, such as ' +
        'authorization=Bearer%20token.',
    )
  }
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]))
}

/** `name=value,name=value`, with percent-encoded values. */
function readPairs(
  read: SettingReader,
  name: 'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_RESOURCE_ATTRIBUTES',
): Record<string, string> {
  const parts = (read.text(name) ?? '').split(',').map((part) => part.trim())
  const pairs = parts.flatMap((part) => (part === '' ? [] : [parsePair(part)]))
  const valid = pairs.filter((pair) => pair !== undefined)
  if (valid.length < pairs.length) {
    const rule = 'must be a list name=value,name=value with percent-encoded values'
    read.faults.push(`${name} ${rule}; item ${pairs.indexOf(undefined) + 1} is not.`)
  }
  return Object.fromEntries(valid)
}

function parsePair(text: string): [string, string] | undefined {
  const at = text.indexOf('=')
  const name = text.slice(0, Math.max(at, 0)).trim()
  const value = decodePercent(text.slice(at + 1).trim())
  return name === '' || value === undefined ? undefined : [name, value]
}
