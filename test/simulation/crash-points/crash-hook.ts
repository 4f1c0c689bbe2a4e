// Loaded by `node --import` before Florin: a request with the header that names a point goes as far
// as that and no further. It says so, and waits there to be killed with its process. Requests
// without the header go as ever.

import { AsyncLocalStorage } from 'node:async_hooks'
import { writeSync } from 'node:fs'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { swapSources } from '../swap-text.ts'
import { crash_header, crashSwaps, heldLine, type Point } from './points.ts'

interface Doomed {
  point: Point
  /** Which of the runner's requests it is. */
  id: string
}

/** Of the request that is being handled; what runs beside it, such as the request log, has none. */
const doomed = new AsyncLocalStorage<Doomed | undefined>()

// A batch of a lane begins in the course of the request that woke the lane, and so does its
// database transaction: the points are the same for every kind of change.
const florinCrash = {
  watch(app: FastifyInstance): void {
    app.addHook('onRequest', (request, _reply, done) => {
      if (!isHeld('after authentication', doomOf(request))) done()
    })
    app.addHook('preHandler', (request, _reply, done) => doomed.run(doomOf(request), done))
    app.addHook('onResponse', (request, _reply, done) => {
      if (!isHeld('after the reply', doomOf(request))) done()
    })
  },

  ofRequest() {
    const doom = doomed.getStore()
    return {
      holds: (text: string): boolean => locking.test(text) && isHeld('after the lock', doom),
      /** What was sent without waiting has to be run before it can be lost. */
      async commits(flush: () => Promise<unknown>): Promise<void> {
        if (doom?.point === 'before commit') await flush()
        if (isHeld('before commit', doom)) await forever
      },
      async committed(): Promise<void> {
        if (isHeld('after commit', doom)) await forever
      },
    }
  },
}

const locking = /\bfor (no key )?update\b|\bfor (key )?share\b/
const forever = new Promise<never>(() => {})

function doomOf(request: FastifyRequest): Doomed | undefined {
  const header = request.headers[crash_header]
  return header === undefined ? undefined : JSON.parse(String(header))
}

function isHeld(here: Point, doom: Doomed | undefined): boolean {
  if (doom?.point !== here) return false
  // The runner waits for it: only then does it know where the process is when it kills it.
  writeSync(2, `${heldLine(doom.id, here)}\n`)
  return true
}

Object.assign(globalThis, { florinCrash })
swapSources(crashSwaps)
