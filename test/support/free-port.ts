// Finds a port that stays free for a later start or a restart. It lies below the ephemeral range,
// from which the system assigns ports to outgoing connections and to servers that listen on port 0.

import { once } from 'node:events'
import { createServer } from 'node:net'

const first = 18_000
const last = 31_999

export async function findFreePort(): Promise<number> {
  for (let attempts_left = 100; attempts_left > 0; attempts_left--) {
    const port = first + Math.floor(Math.random() * (last - first + 1))
    if (await isFree(port)) return port
  }
  throw new Error(`no port between ${first} and ${last} is free`)
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  try {
    probe.listen({ host: '127.0.0.1', port })
    await once(probe, 'listening')
    probe.close()
    await once(probe, 'close')
    return true
  } catch {
    return false
  }
}
