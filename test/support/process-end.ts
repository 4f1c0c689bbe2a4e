// What belongs to a process of tests, such as a browser, is closed when that process ends: after
// its file where it runs one, after the last of them where several share it.

import { after } from 'node:test'

type Close = () => Promise<void>

const closes: Close[] = []
let is_shared = false

export function atProcessEnd(close: Close): void {
  if (is_shared) closes.push(close)
  else after(close)
}

/** Runs files one after another in this process, and closes when the last has ended. */
export async function runAndClose(runFiles: () => Promise<void>): Promise<void> {
  is_shared = true
  await runFiles()
  for (const close of closes) await close()
}
