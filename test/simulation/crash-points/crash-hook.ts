// Loaded before Florin (`node --import`): a request whose header names a crash point stops there.
// The hook logs this, and the request waits to be killed with its process. Requests without the
// header are not affected.

import { AsyncLocalStorage } from 'node:async_hooks'
import { writeSync } from 'node:fs'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { swapSources } from '../swap-text.ts'
import { crash_header, crashSwaps, heldLine, type Point } from './points.ts'

interface CrashRequest {
  point: Point
  /** The runner's id of the request. */
  id: string
}

/** Set while such a request is handled. Work outside of it, such as the request log, has none. */
const current = new AsyncLocalStorage<CrashRequest | undefined>()

// A lane runs its batch and database transaction in the async context of the request that woke it,
// so the crash points apply to every kind of change.
const florinCrash = {
  watch(app: FastifyInstance): void {
    app.addHook('onRequest', (request, _reply, done) => {
      if (!isHeld('after authentication', crashRequestOf(request))) done()
    })
    app.addHook('preHandler', (request, _reply, done) => current.run(crashRequestOf(request), done))
    app.addHook('onResponse', (request, _reply, done) => {
      if (!isHeld('after the reply', crashRequestOf(request))) done()
    })
  },

  ofRequest() {
    const crash = current.getStore()
    return {
      holds: (text: string): boolean => locking.test(text) && isHeld('after the lock', crash),
      /** Pipelined statements must be executed before COMMIT is withheld. */
      async commits(flush: () => Promise<unknown>): Promise<void> {
        if (crash?.point === 'before commit') await flush()
        if (isHeld('before commit', crash)) await forever
      },
      async committed(): Promise<void> {
        if (isHeld('after commit', crash)) await forever
      },
    }
  },
}

const locking = /\bfor (no key )?update\b|\bfor (key )?share\b/
const forever = new Promise<never>(() => {})

function crashRequestOf(request: FastifyRequest): CrashRequest | undefined {
  const header = request.headers[crash_header]
  return header === undefined ? undefined : JSON.parse(String(header))
}

function isHeld(here: Point, crash: CrashRequest | undefined): boolean {
  if (crash?.point !== here) return false
  // The runner waits for this line, so it knows where the request is when it kills the process.
  writeSync(2, `${heldLine(crash.id, here)}\n`)
  return true
}

Object.assign(globalThis, { florinCrash })
swapSources(crashSwaps)
