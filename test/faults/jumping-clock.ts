// Loaded before Florin (`node --import`): a clock that a test can move. The file that JUMP_FILE
// names contains this process's clock offset in milliseconds.

import { readFileSync } from 'node:fs'

const RealDate = Date
let offset_ms = 0

class JumpingDate extends RealDate {
  constructor(...args: unknown[]) {
    if (args.length === 0) super(JumpingDate.now())
    else super(...(args as [number]))
  }

  static override now(): number {
    return RealDate.now() + offset_ms
  }
}

globalThis.Date = JumpingDate as DateConstructor

setInterval(() => {
  offset_ms = Number(readFileSync(process.env.JUMP_FILE!, 'utf8').trim() || '0')
}, 20).unref()
