// The part of pino that src/http/log.ts uses to write request lines.

import { test } from 'node:test'
import { pino } from 'pino'
import { contractOf } from '../support/relies-on.ts'

const lines: string[] = []
const stream = { write: (line: string) => void lines.push(line) }

test('a logger has its stream under a symbol', () => {
  const log = pino({ base: null, timestamp: false }, stream)
  const found = (log as unknown as Record<symbol, unknown>)[pino.symbols.streamSym]
  contractOf('pino')(found === stream, true, 'pino.symbols.streamSym')
  log.info('text')
  const expected = ['{"level":30,"msg":"text"}\n']
  contractOf('pino')(lines, expected, 'the format of a line, and one write for each')
})
