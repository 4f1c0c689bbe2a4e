// Error messages of client commands for files and connections. They never mention a database.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, symlinkSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { describeFailure } from '../../src/cli/failures.ts'
import { Refusal } from '../../src/primitives/refusal.ts'
import { Cli } from './cli.ts'

async function serve(t: TestContext, response: RequestListener): Promise<string> {
  const server = createServer(response).listen(0)
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const fileError = (syscall: string, code: string, words: string) =>
  Object.assign(new Error(`${code}: ${words}, ${syscall} '/home/ann/x'`), {
    code,
    syscall,
    path: '/home/ann/x',
  })

test('a file error names the action, the file and the reason', () => {
  const denied = fileError('mkdir', 'EACCES', 'permission denied')
  for (const opens_database of [true, false]) {
    assert.deepEqual(describeFailure(denied, { opens_database }), {
      error: 'file_error',
      message: 'Cannot create the folder /home/ann/x: permission denied (EACCES).',
    })
  }
  const full = fileError('open', 'EROFS', 'read-only file system')
  const { message } = describeFailure(full, { opens_database: false })
  assert.equal(message, 'Cannot open /home/ann/x: read-only file system (EROFS).')
})

test('capitalizes the first word of a refusal, except an address or field name', () => {
  const describe = (message: string) =>
    describeFailure(new Refusal('invalid_request', message), { opens_database: true }).message
  assert.equal(describe('password must be longer.'), 'Password must be longer.')
  assert.equal(describe('ann@example.com is taken.'), 'ann@example.com is taken.')
  assert.equal(describe('account_id is unknown.'), 'account_id is unknown.')
})

test('a lost connection is a database failure only in commands that open one', () => {
  const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
  assert.match(describeFailure(lost, { opens_database: true }).message, /^The database cannot be/)
  assert.equal(describeFailure(lost, { opens_database: false }).message, 'read ECONNRESET')
  const missing = (what: string) =>
    Object.assign(new Error(`Cannot find ${what} imported from y`), {
      code: 'ERR_MODULE_NOT_FOUND',
    })
  const codes = ["package 'pg'", "module '/a/b.js'"].map((what) => {
    return describeFailure(missing(what), { opens_database: true }).error
  })
  assert.deepEqual(codes, ['packages_missing', 'internal_error'])
})

test('a login that cannot be stored names the folder', async (t) => {
  const url = await serve(t, (_, response) => response.end('{"id":"acct_1"}'))
  const cli = new Cli(url)
  // Even root cannot create a folder through a dangling symbolic link.
  mkdirSync(join(cli.config_home, 'home'))
  symlinkSync(join(cli.config_home, 'nowhere', 'deep'), join(cli.config_home, 'home', 'florin'))
  const env = { XDG_CONFIG_HOME: join(cli.config_home, 'home') }
  const stdin = 'sk_sandbox_0123456789abcdef0123\n'
  const { code, stderr } = await cli.run(['login', '--key-stdin'], { env, stdin })
  assert.equal(code, 1)
  assert.match(stderr, /^Cannot .* .*florin\S*: .* \(E[A-Z]+\)\.$/m)
  assert.doesNotMatch(stderr, /database/)
})

test('an incomplete response is reported as a lost connection to the server', async (t) => {
  const url = await serve(t, (_, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half', () => response.destroy())
  })
  const cli = new Cli(url)
  const env = { FLORIN_API_KEY: 'sk_sandbox_0123456789abcdef' }
  const { code, stdout, stderr } = await cli.run(['get', '/v1/account', '--json'], { env })
  assert.deepEqual([code, stdout], [1, ''])
  const { error, message } = JSON.parse(stderr)
  assert.equal(error, 'server_unreachable')
  assert.ok(message.startsWith(`The connection to ${url} was lost (`), message)
})
