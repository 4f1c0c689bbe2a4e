// A client that reads a stream of server-sent events, block by block.

import { get, type IncomingMessage } from 'node:http'

interface Block {
  id: number
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read events of every type.
  data: any
}

interface StreamOptions {
  token: string
  headers?: Record<string, string>
}

export class StreamReader {
  readonly response: IncomingMessage
  readonly blocks: Block[] = []
  text = ''
  ended: 'no' | 'ended' | 'cut' = 'no'
  #partial = ''
  #waiters: (() => void)[] = []

  constructor(response: IncomingMessage) {
    this.response = response
    response.setEncoding('utf8')
    response.on('data', (chunk) => this.#take(chunk))
    response.on('end', () => this.#end('ended'))
    response.on('error', () => this.#end('cut'))
  }

  static open(url: string, path: string, options: StreamOptions): Promise<StreamReader> {
    const headers = { ...options.headers, authorization: `Bearer ${options.token}` }
    return new Promise((resolve, reject) => {
      get(url + path, { headers, agent: false }, (response) =>
        resolve(new StreamReader(response)),
      ).on('error', reject)
    })
  }

  get status(): number {
    return this.response.statusCode!
  }

  get ids(): number[] {
    return this.blocks.map(({ id }) => id)
  }

  /** Waits until the condition holds; throws after the timeout. */
  async until(holds: () => boolean, timeout_ms = 30_000): Promise<void> {
    const end = Date.now() + timeout_ms
    while (!holds()) {
      if (Date.now() > end) throw new Error(`condition not met: ${this.text.slice(-500)}`)
      await new Promise<void>((resolve) => {
        this.#waiters.push(resolve)
        setTimeout(resolve, 100)
      })
    }
  }

  close(): void {
    this.response.destroy()
  }

  #take(chunk: string): void {
    this.text += chunk
    this.#partial += chunk
    for (;;) {
      const end = this.#partial.indexOf('\n\n')
      if (end === -1) break
      const block = parse(this.#partial.slice(0, end))
      this.#partial = this.#partial.slice(end + 2)
      if (block !== undefined) this.blocks.push(block)
    }
    this.#wake()
  }

  #end(how: 'ended' | 'cut'): void {
    if (this.ended === 'no') this.ended = how
    this.#wake()
  }

  #wake(): void {
    for (const wake of this.#waiters.splice(0)) wake()
  }
}

function parse(text: string): Block | undefined {
  const fields = Object.fromEntries(
    text.split('\n').map((line) => [line.split(': ', 1)[0]!, line.slice(line.indexOf(': ') + 2)]),
  )
  if (fields.data === undefined) return undefined
  return { id: Number(fields.id), event: fields.event!, data: JSON.parse(fields.data) }
}
