// Starts stripe-mock, Stripe's own server that validates every request against the published API
// description. It is stateless: responses are fixtures.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { findFreePort } from './free-port.ts'
import { until } from './until.ts'

const command = process.env.STRIPE_MOCK ?? 'stripe-mock'

export const noStripeMock =
  spawnSync(command, ['-version']).error === undefined
    ? undefined
    : 'stripe-mock is not installed: see CONTRIBUTING.md'

/** Returns its address. */
export async function startStripeMock(t: TestContext): Promise<string> {
  const [http, https] = [await findFreePort(), await findFreePort()]
  const address = (port: number) => `127.0.0.1:${port}`
  const flags = [
    '-strict-version-check',
    '-http-addr',
    address(http),
    '-https-addr',
    address(https),
  ]
  const child = spawn(command, flags, { stdio: 'ignore' })
  const exit = once(child, 'exit')
  t.after(async () => {
    child.kill()
    await exit
  })
  const url = `http://${address(http)}`
  await until(() =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  )
  return url
}
