// Extracts the statements that a client runs from the PostgreSQL traffic through a proxy.

import { takeMessage } from './client-message.ts'

/** Parses the client side of one connection. Pass it the bytes in order. */
export class StatementReader {
  readonly #onStatement: (text: string) => void
  readonly #prepared = new Map<string, string>()
  #unread: Buffer = Buffer.alloc(0)
  #started = false
  #bound = ''

  constructor(onStatement: (text: string) => void) {
    this.#onStatement = onStatement
  }

  read(data: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, data])
    for (;;) {
      const next = takeMessage(this.#unread, this.#started)
      if (next === undefined) return
      const { message } = next
      this.#unread = next.rest
      if (this.#started) this.#handle(String.fromCharCode(message[0]!), message.toString('utf8', 5))
      this.#started = true
    }
  }

  /** Strings end with a NUL: Parse has a name and a statement, Bind a portal and a name. */
  #handle(kind: string, body: string): void {
    const [first, second] = body.split('\0') as [string, string]
    if (kind === 'P') this.#prepared.set(first, second)
    if (kind === 'B') this.#bound = this.#prepared.get(second) ?? ''
    if (kind === 'E') this.#onStatement(this.#bound)
    if (kind === 'Q') this.#onStatement(first)
  }
}
