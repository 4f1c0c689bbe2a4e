// Reads what clients ask PostgreSQL as it passes a proxy: every statement that is run, by its text.

import { takeMessage } from './client-message.ts'

/** One connection's half from the client: give it the bytes in their order. */
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
      const taken = takeMessage(this.#unread, this.#started)
      if (taken === undefined) return
      const { message } = taken
      this.#unread = taken.rest
      if (this.#started) this.#take(String.fromCharCode(message[0]!), message.toString('utf8', 5))
      this.#started = true
    }
  }

  /** Texts end with a zero: Parse has a name and a statement, Bind a portal and a name. */
  #take(kind: string, body: string): void {
    const [first, second] = body.split('\0') as [string, string]
    if (kind === 'P') this.#prepared.set(first, second)
    if (kind === 'B') this.#bound = this.#prepared.get(second) ?? ''
    if (kind === 'E') this.#onStatement(this.#bound)
    if (kind === 'Q') this.#onStatement(first)
  }
}
