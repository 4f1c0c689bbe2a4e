// florin open: the address of a page, and the browser on it where somebody sits before a terminal.

import { spawn } from 'node:child_process'
import { nearestName } from '../primitives/nearest-name.ts'
import { type ApiOptions, openApi } from './api.ts'
import { ApiFailure, UsageError } from './failures.ts'
import { pageNames, pages } from './page-names.ts'
import { accent, print, printJson } from './terminal.ts'

export async function openPage(name: string, options: ApiOptions): Promise<void> {
  const path = pages[name]
  if (path === undefined) throw new UsageError(explain(name))
  const api = await openApi(options)
  const url = api.url + path
  await requirePage(url, name, () => api.send('GET', path, { anonymous: true }))
  if (options.json) return printJson({ url })
  print(`${accent(url)}\n`)
  if (process.stdout.isTTY) launchBrowser(url)
}

function explain(name: string): string {
  const nearest = nearestName(name, pageNames)
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  return `There is no page "${name}".${hint} Pages are ${pageNames.join(', ')}.`
}

async function requirePage(
  url: string,
  name: string,
  look: () => Promise<Response>,
): Promise<void> {
  try {
    await (await look()).body?.cancel()
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.failure.status !== 404) throw error
    throw new ApiFailure({
      error: 'not_found',
      message: `This server has no ${name}: nothing is at ${url}.`,
      next: 'florin open docs',
    })
  }
}

/** Whether there is a browser nobody can know; the address stands above in any case. */
function launchBrowser(url: string): void {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['explorer.exe', url]
        : ['xdg-open', url]
  const child = spawn(command!, args, { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
