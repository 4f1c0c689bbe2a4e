// What a client does: one operation after another. It repeats half of its acknowledged writes,
// often much later.

import { setTimeout as sleep } from 'node:timers/promises'
import type { ChargedPayment } from '../provider/settle-provider.ts'
import { chooseOperation, type PlannedRequest, planSmallRefund } from './choose-operation.ts'
import type { Client } from './client.ts'
import { revokeSomething } from './revoke-something.ts'
import { walkList } from './walk-list.ts'

interface ScheduledRepeat {
  at_ms: number
  planned_request: PlannedRequest
  tag: string
}

// Think time: lets other clients interleave and leaves CPU time for the servers under test.
const max_pause_ms = 4
// The servers also call the provider, and payers need time between the steps of a payment.
const max_pause_with_provider_ms = 80

export async function runClient(client: Client): Promise<void> {
  const { random, recorder, world } = client.parts
  const pause_ms = world.has_provider ? max_pause_with_provider_ms : max_pause_ms
  const repeats: ScheduledRepeat[] = []
  // Each client starts with a revocation, so even a short run has some.
  await revokeSomething(client)
  while (recorder.now() < client.until_ms) {
    await step(client, repeats)
    await sleep(random.below(pause_ms))
  }
  for (const { planned_request, tag } of repeats) {
    if (recorder.now() < client.end_ms) await client.write(planned_request, tag, true)
  }
}

/** After the run: refunds a small part of a payment. */
export async function refundSmallPart(client: Client, charge: ChargedPayment): Promise<void> {
  const { world, recorder } = client.parts
  client.until_ms = recorder.now()
  const shop = world.shops.find(({ account }) => account === charge.account)!
  const tag = client.newTag()
  await client.write(planSmallRefund(shop, charge.payment, tag), tag, true)
}

async function step(client: Client, repeats: ScheduledRepeat[]): Promise<void> {
  const { random, world, recorder } = client.parts
  const at = repeats.findIndex(({ at_ms }) => at_ms <= recorder.now())
  if (at !== -1) {
    const [repeat] = repeats.splice(at, 1)
    return void (await client.write(repeat!.planned_request, repeat!.tag, true))
  }
  if (random.chance(0.02)) return walkList(client)
  if (random.chance(0.01)) return revokeSomething(client)
  const tag = client.newTag()
  const planned_request = chooseOperation(random, world, tag)
  if (planned_request === undefined) return
  if (planned_request.request.method === 'GET') return void (await client.read(planned_request))
  const keyed = planned_request.operation !== 'pay' && random.chance(0.85)
  const response = await client.write(planned_request, tag, keyed)
  if (!keyed || response.result !== 'ok' || !random.chance(0.5)) return
  // Some at once, some after seconds, so a restart or two may happen in between.
  const wait_ms = random.chance(0.5) ? 0 : random.below(6_000)
  repeats.push({ at_ms: recorder.now() + wait_ms, planned_request, tag })
}
