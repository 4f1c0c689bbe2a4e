// Printed when the server is ready: a banner in a terminal, one JSON line otherwise.

import { randomBytes } from 'node:crypto'
import { florin_command, version } from '../../version.ts'
import type { ReadyServer } from '../client/ready-server.ts'
import { databaseLocation, describeDatabase } from '../describe-database.ts'
import { accent, columns, faint, print, printJson, type Row, strong } from '../terminal.ts'

interface Announcement {
  json: boolean
  worker: boolean
}

export function announceServer(server: ReadyServer, { json, worker }: Announcement): void {
  if (json) printJson(readyLine(server, worker))
  else print(banner(server, worker))
}

const admin_command = `${florin_command} admin create`
const admin_settings = 'FLORIN_ADMIN_EMAIL and FLORIN_ADMIN_PASSWORD'

/**
 * The setup link is a credential, and this is the only log line that contains one. Without a
 * terminal, the log is the only place where an operator finds it. A reader of the log gains little:
 * the link works once, for one hour, and only while there is no admin.
 */
function readyLine(server: ReadyServer, worker: boolean): object {
  const { config, postgres, url, migrated, has_admin, setup_path } = server
  const { kind, version: postgresql, started } = postgres
  return {
    level: 30,
    time: new Date(),
    msg: 'florin is ready',
    version,
    mode: config.mode,
    node: process.versions.node,
    pid: process.pid,
    url,
    public_url: config.public_url,
    dashboard_url: `${config.public_url}/dashboard`,
    docs_url: `${config.public_url}/docs`,
    database: { kind, version: postgresql, started, location: databaseLocation(config) },
    migrated,
    worker,
    has_admin,
    ...(setup_path && { setup_url: config.public_url + setup_path }),
    ...(!has_admin && { first_admin: `${admin_command}, or set ${admin_settings}` }),
    try: tryLine(server),
    stop: `kill ${process.pid}`,
  }
}

function banner(server: ReadyServer, worker: boolean): string {
  const { config, url, postgres } = server
  const { public_url } = config
  const facts: Row[] = [
    ['API', accent(url)],
    ...(public_url === url ? [] : [['Public', public_url] as const]),
    ['Dashboard', `${public_url}/dashboard`],
    ['Docs', `${public_url}/docs`],
    ['Database', describeDatabase(config, postgres)],
    ...(postgres.kind === 'embedded' ? [['Data', config.data_path] as const] : []),
    ['Worker', worker ? 'running' : 'not started; run it with florin worker'],
    ['Node', process.versions.node],
  ]
  const parts = [
    `  ${accent(strong('Florin'))} ${version}  ${modes[config.mode]}\n`,
    columns(facts),
    firstAdmin(server),
    `  Try it${inBrowser(server)}\n\n  ${tryLine(server)}\n`,
    `  ${faint('Stop with Ctrl-C.')}\n`,
  ]
  return `\n${parts.filter((part) => part !== '').join('\n')}\n`
}

const modes = {
  sandbox: 'Sandbox, no real money moves',
  live: 'Live',
} as const

function firstAdmin({ has_admin, setup_path, config }: ReadyServer): string {
  if (has_admin) return ''
  const ways: Row[] = [
    ['or run', admin_command],
    ['or set', `${admin_settings}, then restart`],
  ]
  if (setup_path) {
    const link = `${accent(config.public_url + setup_path)}\n`
    ways.unshift(['open', `${link}${' '.repeat(10)}${faint('works once, expires in one hour')}`])
  }
  return `  There is no admin yet. To create the first one:\n\n${columns(ways)}`
}

function inBrowser({ config }: ReadyServer): string {
  if (config.signup === 'closed') return ''
  return `: open ${config.public_url} and create an account, or run`
}

/** A command to copy and run. The email is random because an email can be used only once. */
function tryLine({ config, url }: ReadyServer): string {
  if (config.signup === 'closed') return `curl ${url}/readyz`
  const account = {
    email: `shop-${randomBytes(2).toString('hex')}@example.com`,
    name: 'Corner Shop',
    type: 'business',
    password: 'correct horse battery',
  }
  const body = JSON.stringify(account)
  return `curl ${url}/v1/accounts -H 'Content-Type: application/json' -d '${body}'`
}
