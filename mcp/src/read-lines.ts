// Splits a stream into lines. A line over the limit is skipped and yields `too_long`.

import type { Readable } from 'node:stream'

export const line_bytes_max = 1_048_576

export const too_long = Symbol('line too long')

export async function* readLines(
  input: Readable,
  bytes_max = line_bytes_max,
): AsyncGenerator<string | typeof too_long> {
  let parts: Buffer[] = []
  let bytes = 0
  const takeLine = (): string | typeof too_long => {
    const line = bytes > bytes_max ? too_long : Buffer.concat(parts).toString('utf8')
    parts = []
    bytes = 0
    return line
  }
  for await (const chunk of input) {
    let rest = chunk as Buffer
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      append(rest.subarray(0, end))
      yield takeLine()
      rest = rest.subarray(end + 1)
    }
    append(rest)
  }
  if (bytes > 0) yield takeLine()

  function append(part: Buffer): void {
    bytes += part.length
    if (bytes <= bytes_max) parts.push(part)
    else parts = []
  }
}
