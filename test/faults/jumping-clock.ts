// Loaded before Florin (`node --import`): a clock that a test can move. The file that JUMP_FILE
// names holds the milliseconds by which this process is wrong about the time.

import { readFileSync } from 'node:fs'

const RealDate = Date
let wrong_by_ms = 0

class JumpingDate extends RealDate {
  constructor(...given: unknown[]) {
    if (given.length === 0) super(JumpingDate.now())
    else super(...(given as [number]))
  }

  static override now(): number {
    return RealDate.now() + wrong_by_ms
  }
}

globalThis.Date = JumpingDate as DateConstructor

setInterval(() => {
  wrong_by_ms = Number(readFileSync(process.env.JUMP_FILE!, 'utf8').trim() || '0')
}, 20).unref()
