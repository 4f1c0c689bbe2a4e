#!/usr/bin/env node
// Entry point of the `florin` command line.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { launch } from './launch.mjs'

// `florin` alone serves. With an external database it prints the help instead, because a start
// would migrate that database.
const has_database = Boolean(process.env.DATABASE_URL ?? process.env.DATABASE_URL_FILE)
if (process.argv.length === 2 && !has_database) process.argv.push('start')

await launch(fileURLToPath(import.meta.url), async () => {
  if (process.argv[2] === 'start' && !process.argv.some((one) => /^(-h|--help)$/.test(one)))
    await buildDashboard()
  await import('../src/cli.ts')
})

// The server also starts without a dashboard, because the API does not need it.
async function buildDashboard() {
  const module = new URL('../web/dashboard/ensure-built.ts', import.meta.url)
  if (!existsSync(module)) return
  const { ensureDashboardBuilt } = await import(module.href)
  try {
    ensureDashboardBuilt()
  } catch (error) {
    const { message } = error
    process.stderr.write(
      process.argv.includes('--json')
        ? `${JSON.stringify({ error: 'dashboard_not_built', message })}\n`
        : `${message}\n`,
    )
  }
}
