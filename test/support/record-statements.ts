// Preloaded with `--import`: writes every statement that a process sends to PostgreSQL, with its
// values, to a file of the folder FLORIN_TEST_STATEMENTS. A few samples of each text are kept.

import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

interface Parse {
  name: string
  text: string
}

interface Bind {
  statement?: string
  values?: unknown[]
  valueMapper?: (value: unknown, at: number) => unknown
}

interface WireConnection {
  parse(query: Parse, more?: boolean): void
  bind(config: Bind, more?: boolean): void
}

export interface RecordedStatement {
  text: string
  values: unknown[]
}

const samples_max = 5
const folder = process.env.FLORIN_TEST_STATEMENTS
const counts = new Map<string, number>()
const texts = new WeakMap<WireConnection, Map<string, string>>()

if (folder !== undefined) {
  const wire = pg.Connection.prototype as unknown as WireConnection
  const { parse, bind } = wire
  wire.parse = function (query, more) {
    if (!texts.has(this)) texts.set(this, new Map())
    texts.get(this)!.set(query.name ?? '', query.text)
    return parse.call(this, query, more)
  }
  wire.bind = function (config, more) {
    const { values = [], valueMapper = (value: unknown) => value } = config
    const text = texts.get(this)?.get(config.statement ?? '')
    if (text !== undefined) record(folder, text, values.map(valueMapper))
    return bind.call(this, config, more)
  }
}

function record(into: string, text: string, values: unknown[]): void {
  // Longer arrays are other samples: a batch of two accounts is not a batch of one.
  const key = `${text}\0${values.map((value) => String(value).length > 60).join()}`
  const count = counts.get(key) ?? 0
  if (count >= samples_max) return
  counts.set(key, count + 1)
  const shown = values.map((value) =>
    Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value,
  )
  const recorded: RecordedStatement = { text, values: shown }
  appendFileSync(join(into, `${process.pid}.jsonl`), `${JSON.stringify(recorded)}\n`)
}
