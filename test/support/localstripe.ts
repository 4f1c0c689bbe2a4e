// Starts localstripe, an independent server that plays Stripe and stores what it receives. It has
// no Checkout, disputes or idempotency keys. It is a separate program under the GPL: a test tool
// that is never part of Florin.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { findFreePort } from './free-port.ts'
import { until } from './until.ts'

// The Python of the virtual environment in which it is installed.
const python = process.env.LOCALSTRIPE_PYTHON ?? 'python3'

export const noLocalstripe =
  spawnSync(python, ['-c', 'import localstripe']).status === 0
    ? undefined
    : 'localstripe is not installed: see CONTRIBUTING.md'

/** Returns its address. */
export async function startLocalstripe(t: {
  after(stop: () => Promise<void>): void
}): Promise<string> {
  const port = await findFreePort()
  const script = fileURLToPath(new URL('start-localstripe.py', import.meta.url))
  const child = spawn(python, [script, String(port)], { stdio: 'ignore' })
  const exit = once(child, 'exit')
  t.after(async () => {
    child.kill()
    await exit
  })
  const url = `http://127.0.0.1:${port}`
  await until(() =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  )
  return url
}
