// A process that owns an embedded database, for tests that kill it. It prints the result as one
// line, ignores Ctrl-C like a draining server, and stops when its standard input ends.

import { openEmbedded } from '../../src/embedded-postgres/open-embedded.ts'

process.on('SIGINT', () => {})

try {
  const data_path = process.argv[2]!
  const database = await openEmbedded({ data_path, settings: { fsync: 'off' } })
  console.log(JSON.stringify({ ...database, pid: process.pid }))
  process.stdin.resume().on('end', () => database.stop())
} catch (error) {
  console.log(JSON.stringify({ error: (error as Error).message, name: (error as Error).name }))
}
