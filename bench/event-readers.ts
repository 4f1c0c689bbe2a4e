// Those who follow the events of accounts, one stream each, and count what they hear.

import { get, type IncomingMessage } from 'node:http'
import type { AccountSession } from './account-sessions.ts'

export class EventStreamReaders {
  readonly #responses: IncomingMessage[] = []
  #heard = 0

  async open(port: number, sessions: AccountSession[]): Promise<void> {
    for (const session of sessions) this.#responses.push(await this.#follow(port, session))
  }

  #follow(port: number, { token }: AccountSession): Promise<IncomingMessage> {
    const headers = { authorization: `Bearer ${token}` }
    return new Promise((resolve, reject) => {
      const path = '/v1/events/stream'
      get({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
        if (response.statusCode !== 200)
          reject(new Error(`a stream answered ${response.statusCode}`))
        response.setEncoding('latin1')
        response.on('data', (text: string) => {
          this.#heard += text.split('\nevent: ').length - 1
        })
        response.on('error', () => {})
        resolve(response)
      }).on('error', reject)
    })
  }

  /** How many events were heard, a moment after the last payment. */
  async close(): Promise<number> {
    await new Promise((resolve) => setTimeout(resolve, 500))
    for (const response of this.#responses) response.destroy()
    return this.#heard
  }
}
