// A port that a server can have a while later, or again after it was stopped: below those that the
// system gives to outgoing connections and to servers that name none, any of which could take it
// meanwhile.

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
