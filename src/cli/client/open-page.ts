// florin open: prints the URL of a page and, in a terminal, opens it in the browser.

import { spawn } from 'node:child_process'
import { type Florin, FlorinError } from '../../../client/src/florin.ts'
import { nearestName } from '../../primitives/text.ts'
import { ApiFailure, UsageError } from '../failures.ts'
import { accent, print, printJson } from '../terminal.ts'
import { type ApiOptions, withApi } from './api.ts'
import { pageNames, pages } from './page-names.ts'

export async function openPage(name: string, options: ApiOptions): Promise<void> {
  const path = pages[name]
  if (path === undefined) throw new UsageError(explain(name))
  await withApi(options, async (api) => {
    const url = api.url + path
    await requirePage(url, name, api.anonymous(), path)
    if (options.json) return printJson({ url })
    print(`${accent(url)}\n`)
    if (process.stdout.isTTY) launchBrowser(url)
  })
}

function explain(name: string): string {
  const nearest = nearestName(name, pageNames)
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  return `Unknown page "${name}".${hint} Pages: ${pageNames.join(', ')}.`
}

async function requirePage(url: string, name: string, florin: Florin, path: string): Promise<void> {
  try {
    await florin.request('GET', path)
  } catch (error) {
    if (!(error instanceof FlorinError) || error.status !== 404) throw error
    throw new ApiFailure({
      error: 'not_found',
      message: `This server does not serve ${name}: ${url} does not exist.`,
      next: 'florin open docs',
    })
  }
}

/** Ignores failures: there may be no browser, and the URL is already printed. */
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
