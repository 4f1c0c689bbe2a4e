// Event stream clients, one stream per account. They count the events they receive.

import { get, type IncomingMessage } from 'node:http'
import type { AccountSession } from './account-sessions.ts'

export class EventStreamReaders {
  readonly #responses: IncomingMessage[] = []
  #received = 0

  async open(port: number, sessions: AccountSession[]): Promise<void> {
    for (const session of sessions) this.#responses.push(await this.#follow(port, session))
  }

  #follow(port: number, { token }: AccountSession): Promise<IncomingMessage> {
    const headers = { authorization: `Bearer ${token}` }
    return new Promise((resolve, reject) => {
      const path = '/v1/events/stream'
      get({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
        if (response.statusCode !== 200)
          reject(new Error(`the event stream returned ${response.statusCode}`))
        response.setEncoding('latin1')
        response.on('data', (text: string) => {
          this.#received += text.split('\nevent: ').length - 1
        })
        response.on('error', () => {})
        resolve(response)
      }).on('error', reject)
    })
  }

  /** Waits for late events, closes the streams and returns the number of events received. */
  async close(): Promise<number> {
    await new Promise((resolve) => setTimeout(resolve, 500))
    for (const response of this.#responses) response.destroy()
    return this.#received
  }
}
