// Runs the real `florin mcp` in a separate process and talks to it as an MCP client.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { envOf, launcher } from '../cli/florin-process.ts'
import { runFolder } from '../support/secrets.ts'

// biome-ignore lint/suspicious/noExplicitAny: messages of every shape.
export type Message = any

interface McpClient {
  /** Sends a line unchanged. */
  write(line: string): void
  /** Sends a request and waits for the response with the same id. */
  request(method: string, params?: object, id?: string | number): Promise<Message>
  /** Waits for the next message. */
  next(): Promise<Message>
  /** All messages received so far. */
  received: Message[]
  call(name: string, args?: object): Promise<Message>
  /** Closes stdin and waits for the process to exit. */
  end(): Promise<{ code: number | null; stderr: string }>
}

interface McpClientOptions {
  env?: Record<string, string>
  /** Skip the handshake. */
  skip_handshake?: boolean
}

export async function startMcpClient(
  t: { after: TestContext['after'] },
  args: string[],
  options: McpClientOptions = {},
): Promise<McpClient> {
  const child = spawn(process.execPath, [launcher, 'mcp', ...args], {
    cwd: '/',
    env: envOf(options.env),
  })
  const ended = once(child, 'close')
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  child.stdin.on('error', () => {})
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
    const logs = runFolder('logs')
    if (logs) appendFileSync(join(logs, `mcp-${child.pid}.log`), JSON.stringify(received) + stderr)
  })
  const received: Message[] = []
  const waiting: (() => void)[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    // Only protocol messages are allowed on stdout.
    received.push(JSON.parse(line))
    for (const wake of waiting.splice(0)) wake()
  })
  const until = async (find: () => Message | undefined): Promise<Message> => {
    const deadline_ms = Date.now() + 20_000
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      assert.ok(Date.now() < deadline_ms, `no response; ${stderr}`)
      const pause = new Promise<void>((resolve) => setTimeout(resolve, 500).unref())
      await Promise.race([new Promise<void>((resolve) => waiting.push(resolve)), pause])
    }
  }
  let number = 0
  const nextId = () => {
    number += 1
    return `request-${number}`
  }
  let taken = 0
  const mcpClient: McpClient = {
    received,
    write: (line) => void child.stdin.write(`${line}\n`),
    request(method, params, id = nextId()) {
      mcpClient.write(JSON.stringify({ jsonrpc: '2.0', id, method, ...(params && { params }) }))
      return until(() => received.find((message) => message.id === id))
    },
    async next() {
      const at = taken
      taken += 1
      return until(() => received[at])
    },
    call: async (name, args = {}) =>
      (await mcpClient.request('tools/call', { name, arguments: args })).result,
    async end() {
      child.stdin.end()
      const [code] = await ended
      return { code, stderr }
    },
  }
  if (options.skip_handshake) return mcpClient
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: client }
  assert.equal((await mcpClient.request('initialize', params)).result.protocolVersion, '2025-11-25')
  mcpClient.write('{"jsonrpc":"2.0","method":"notifications/initialized"}')
  return mcpClient
}

export const client = { name: 'a test', version: '1' }
