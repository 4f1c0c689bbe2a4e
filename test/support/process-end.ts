// Closes resources of a test process, such as a browser, when it ends: after its file if it
// runs one, after the last file if several share the process.

import { after } from 'node:test'

type Close = () => Promise<void>

const closes: Close[] = []
let is_shared = false

export function atProcessEnd(close: Close): void {
  if (is_shared) closes.push(close)
  else after(close)
}

/** Whether several files share this process. */
export function isShared(): boolean {
  return is_shared
}

/** Runs test files one after another in this process, then closes its resources. */
export async function runAndClose(runFiles: () => Promise<void>): Promise<void> {
  is_shared = true
  await runFiles()
  for (const close of closes) await close()
}
