// One of many concurrent clients. It does one thing after the other, sends what it got no word
// about again with the same key, and half of what was acknowledged once more, often much later.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../../src/seeding/random.ts'
import type { Attempt } from '../history.ts'
import type { Recorder } from '../record.ts'
import { chooseOperation, type PlannedRequest } from './choose-operation.ts'
import { revokeSomething } from './revoke-something.ts'
import type { Sender, SendResult } from './send.ts'
import { walkList } from './walk-list.ts'
import type { World } from './world.ts'

export interface ClientParts {
  number: number
  random: Random
  world: World
  sender: Sender
  recorder: Recorder
  /** A server that is believed to be up; undefined while none is. */
  chooseServer(random: Random): number | undefined
  /** When nothing new is begun. */
  until_ms: number
  /** When the last word about what was begun is waited for no longer. */
  end_ms: number
}

interface Later {
  at_ms: number
  planned_request: PlannedRequest
  tag: string
}

// Think time: enough for other clients to come in between, and it spares the machine's cores for
// what is tested.
const pause_ms_most = 4

export class Client {
  readonly parts: ClientParts
  readonly #later: Later[] = []
  #count = 0

  constructor(parts: ClientParts) {
    this.parts = parts
  }

  async run(): Promise<void> {
    const { random, recorder, until_ms, end_ms } = this.parts
    // Each begins with one, so that even a short run has seen some.
    await revokeSomething(this)
    while (recorder.now() < until_ms) {
      await this.#step()
      await sleep(random.below(pause_ms_most))
    }
    for (const { planned_request, tag } of this.#later) {
      if (recorder.now() < end_ms) await this.write(planned_request, tag, true)
    }
  }

  async #step(): Promise<void> {
    const { random, world, recorder } = this.parts
    const at = this.#later.findIndex(({ at_ms }) => at_ms <= recorder.now())
    if (at !== -1) {
      const [again] = this.#later.splice(at, 1)
      return void (await this.write(again!.planned_request, again!.tag, true))
    }
    if (random.chance(0.02)) return walkList(this)
    if (random.chance(0.01)) return revokeSomething(this)
    const tag = this.newTag()
    const planned_request = chooseOperation(random, world, tag)
    if (planned_request === undefined) return
    if (planned_request.request.method === 'GET') return void (await this.read(planned_request))
    const keyed = planned_request.operation !== 'pay' && random.chance(0.85)
    const response = await this.write(planned_request, tag, keyed)
    if (keyed && response.result === 'ok' && random.chance(0.5))
      this.#sendLater(planned_request, tag)
  }

  newTag(): string {
    this.#count += 1
    return `w-${this.parts.number}-${this.#count}`
  }

  // Some at once, some after seconds: then a restart or two lie between.
  #sendLater(planned_request: PlannedRequest, tag: string): void {
    const { random, recorder } = this.parts
    const wait_ms = random.chance(0.5) ? 0 : random.below(6_000)
    this.#later.push({ at_ms: recorder.now() + wait_ms, planned_request, tag })
  }

  /** With a key it is sent until there is a word. */
  async write(planned_request: PlannedRequest, tag: string, keyed: boolean): Promise<SendResult> {
    for (let tries = 1; ; tries++) {
      const response = await this.attempt(planned_request, tag, keyed)
      if (response.result !== 'info' || !keyed) {
        this.#note(planned_request, response)
        return response
      }
      if (this.parts.recorder.now() > this.parts.end_ms) return response
      await sleep(10 + this.parts.random.below(Math.min(20 * tries, 200)))
    }
  }

  async read(planned_request: PlannedRequest): Promise<SendResult> {
    const response = await this.attempt(planned_request, null, false)
    this.#note(planned_request, response)
    return response
  }

  async attempt(
    planned_request: PlannedRequest,
    tag: string | null,
    keyed: boolean,
  ): Promise<SendResult> {
    const { number, recorder, sender } = this.parts
    const server = await this.#server()
    const key = keyed && tag !== null ? tag : undefined
    const sent_ms = recorder.now()
    const response = await sender.send(server, { ...planned_request.request, key })
    const { operation, credential, target, input, shop } = planned_request
    // The page says with a redirection that the card was charged, and with a page that it was not.
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
      // None came back: then it is asked in vain, and the client comes to its end.
      if (this.parts.recorder.now() > this.parts.end_ms) return 0
      await sleep(10)
    }
  }

  #note({ operation, shop, target, input }: PlannedRequest, response: SendResult): void {
    const { world, random } = this.parts
    if (response.status === 409 && target !== null) world.noteEnded(target, random)
    if (response.result !== 'ok' || response.replayed) return
    switch (operation) {
      case 'create':
        world.noteMade(shop, JSON.parse(response.text).id)
        break
      case 'request': {
        const { id, payment_url } = JSON.parse(response.text)
        world.noteRequest(shop, id, payment_url)
        break
      }
      case 'get':
      case 'settle': {
        const { id, type, status, amount } = JSON.parse(response.text)
        if (type === 'payment' && status === 'succeeded') world.notePaid(shop, id, amount)
        if (status !== 'pending') world.noteEnded(id, random)
        break
      }
      default:
        if (target !== null && input.patch_key === undefined) world.noteEnded(target, random)
    }
  }
}
