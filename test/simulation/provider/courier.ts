// Delivers the provider's events to Florin as signed webhooks, as unreliably as the internet: some
// are dropped, delivered twice or overtaken by later ones. It also sends forged ones.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../../src/operations/seeding/random.ts'
import { newEvent, type Row } from '../../support/fake-stripe-objects.ts'
import type { ProviderParts } from './open-provider.ts'
import type { Notice } from './provider-history.ts'

const poll_ms = 20
const retry_ms = 400

const chances = { drop: 0.2, duplicate: 0.2, delay: 0.5, forge: 0.08 }
// Long enough for the next event of the same charge to overtake.
const max_delay_ms = 3_000

export class Courier {
  readonly #parts: ProviderParts
  readonly #random: Random
  readonly #deliveries: Promise<void>[] = []
  #sent = 0

  constructor(parts: ProviderParts) {
    this.#parts = parts
    this.#random = parts.randomOf('courier')
  }

  /** Resolves after the last delivery. Messages that were not accepted by then are lost. */
  async run(): Promise<void> {
    const { recorder, until_ms, provider } = this.#parts
    while (recorder.now() < until_ms) {
      for (const event of provider.fake.events.slice(this.#sent)) this.#accept(event)
      this.#sent = provider.fake.events.length
      await sleep(poll_ms)
    }
    await Promise.all(this.#deliveries)
  }

  #accept(event: Row): void {
    const random = this.#random
    if (random.chance(chances.forge)) this.#deliveries.push(this.#forge())
    if (random.chance(chances.drop)) {
      this.#record(event, { is_dropped: true })
      return
    }
    const copies = random.chance(chances.duplicate) ? 2 : 1
    for (let copy = 0; copy < copies; copy++) {
      const delay_ms = random.chance(chances.delay) ? random.below(max_delay_ms) : 0
      this.#deliveries.push(this.#deliver(event, delay_ms))
    }
  }

  async #deliver(event: Row, delay_ms: number): Promise<void> {
    const { recorder, until_ms, provider } = this.#parts
    await sleep(delay_ms)
    do {
      const status = await this.#send(event, provider.webhook_secret, false)
      if (status !== null && status < 300) return
      await sleep(retry_ms)
    } while (recorder.now() < until_ms)
  }

  /** Claims that an open checkout was paid. */
  async #forge(): Promise<void> {
    const { fake } = this.#parts.provider
    const open = [...fake.sessions.values()].filter(({ status }) => status === 'open')
    if (open.length === 0) return
    const session = { ...this.#random.pick(open), status: 'complete', payment_status: 'paid' }
    const id = `evt_forged_${this.#deliveries.length}`
    await this.#send(newEvent(id, 'checkout.session.completed', session), 'whsec_guessed', true)
  }

  async #send(event: Row, secret: string, is_forged: boolean): Promise<number | null> {
    const { provider, sender, chooseServer, recorder } = this.#parts
    const server = chooseServer(this.#random)
    if (server === undefined) return null
    const sent_ms = recorder.now()
    const message = provider.fake.message(event, secret)
    const { status } = await sender.visit(server, {
      method: 'POST',
      path: '/v1/processors/stripe/webhook',
      token: undefined,
      raw: message,
    })
    this.#record(event, { is_forged, sent_ms, status })
    return status
  }

  #record({ id, type }: Row, more: Partial<Notice>): void {
    const { recorder } = this.#parts
    const common = { sent_ms: recorder.now(), status: null, is_forged: false, is_dropped: false }
    recorder.add({ kind: 'notice', event: id, type: String(type), ...common, ...more })
  }
}
