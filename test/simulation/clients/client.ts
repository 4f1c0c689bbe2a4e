// The requests of one of many concurrent clients: it records each, and retries with the same key if
// the outcome is unknown.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../../src/operations/seeding/random.ts'
import type { Attempt } from '../history.ts'
import type { Recorder } from '../record.ts'
import type { PlannedRequest } from './choose-operation.ts'
import type { Sender, SendResult } from './send.ts'
import type { World } from './world.ts'

export interface ClientParts {
  number: number
  random: Random
  world: World
  sender: Sender
  recorder: Recorder
  /** Returns a server that should be running; undefined if none is. */
  chooseServer(random: Random): number | undefined
  /** The servers that should be running. */
  serversUp(): number[]
  /** After this, no new operation starts. */
  until_ms: number
}

// How long clients wait for outstanding results after the last fault.
const grace_ms = 8_000

export class Client {
  readonly parts: ClientParts
  /** After this, no new operation starts. */
  until_ms: number
  #count = 0

  constructor(parts: ClientParts) {
    this.parts = parts
    this.until_ms = parts.until_ms
  }

  /** After this, the client no longer waits for outstanding results. */
  get end_ms(): number {
    return this.until_ms + grace_ms
  }

  newTag(): string {
    this.#count += 1
    return `w-${this.parts.number}-${this.#count}`
  }

  /** Sends a write. With a key it retries until the outcome is known. */
  async write(planned_request: PlannedRequest, tag: string, keyed: boolean): Promise<SendResult> {
    for (let attempts = 1; ; attempts++) {
      const response = await this.attempt(planned_request, tag, keyed)
      if (response.result !== 'info' || !keyed) {
        this.#updateWorld(planned_request, response)
        return response
      }
      if (this.parts.recorder.now() > this.end_ms) return response
      await sleep(10 + this.parts.random.below(Math.min(20 * attempts, 200)))
    }
  }

  async read(planned_request: PlannedRequest): Promise<SendResult> {
    const response = await this.attempt(planned_request, null, false)
    this.#updateWorld(planned_request, response)
    return response
  }

  async attempt(
    planned_request: PlannedRequest,
    tag: string | null,
    keyed: boolean,
    to?: number,
  ): Promise<SendResult> {
    const { number, recorder, sender } = this.parts
    const server = to ?? (await this.#server())
    const key = keyed && tag !== null ? tag : undefined
    const sent_ms = recorder.now()
    const response = await sender.send(server, { ...planned_request.request, key })
    const { operation, credential, target, input, shop } = planned_request
    // The page redirects if the card was charged, and returns 200 if it was not.
    if (operation === 'pay' && response.status === 200) response.result = 'fail'
    const attempt: Attempt = {
      kind: 'attempt',
      client: number,
      operation,
      tag,
      keyed,
      credential,
      account: shop.account,
      target,
      input,
      server,
      sent_ms,
      done_ms: recorder.now(),
      ...response,
      ...(operation === 'pay' && { text: '' }),
    }
    recorder.add(attempt)
    return response
  }

  async #server(): Promise<number> {
    for (;;) {
      const server = this.parts.chooseServer(this.parts.random)
      if (server !== undefined) return server
      // No server recovered: this request fails, and the client ends.
      if (this.parts.recorder.now() > this.end_ms) return 0
      await sleep(10)
    }
  }

  #updateWorld({ operation, shop, target, input }: PlannedRequest, response: SendResult): void {
    const { world, random } = this.parts
    if (response.status === 409 && target !== null) world.removeEnded(target, random)
    if (response.result !== 'ok' || response.replayed) return
    switch (operation) {
      case 'create':
        world.addTransaction(shop, JSON.parse(response.text).id)
        break
      case 'request': {
        const { id, payment_url } = JSON.parse(response.text)
        world.addRequest(shop, id, payment_url)
        break
      }
      case 'get':
      case 'settle': {
        const { id, type, status, amount } = JSON.parse(response.text)
        if (type === 'payment' && status === 'succeeded') world.addPayment(shop, id, amount)
        if (status !== 'pending') world.removeEnded(id, random)
        break
      }
      case 'get_request': {
        const { id, status, amount, transaction_id } = JSON.parse(response.text)
        if (transaction_id) world.addPayment(shop, transaction_id, amount)
        if (status !== 'pending') world.removeEnded(id, random)
        break
      }
      default:
        if (target !== null && input.patch_key === undefined) world.removeEnded(target, random)
    }
  }
}
