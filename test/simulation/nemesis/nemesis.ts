// Injects faults into a running Florin until a given time, then waits until all servers are ready.
// Faults that kill or stop processes run one at a time at a steady pace; others run concurrently.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../../src/operations/seeding/random.ts'
import type { Recorder } from '../record.ts'
import type { Fleet } from '../servers/fleet.ts'
import { faults, untilAllReady } from './faults.ts'
import type { NemesisName } from './nemesis-names.ts'

interface NemesisParts {
  fleet: Fleet
  random: Random
  recorder: Recorder
  names: NemesisName[]
  /** A payment through a provider takes several steps and needs more time between kills. */
  kills_per_minute: number
}

// Before the first fault there must be data that it can affect.
const warm_up_ms = 1_500

// From the start of one to the start of the next. With twenty kills a minute, the remaining time
// lets clients do work that the next kill can destroy.
const kill_every_ms = { min: 1_900, jitter: 800 }
const usual_kills_per_minute = 20
const disturb_every_ms = { min: 400, jitter: 1_600 }

// A failover takes some seconds; the remaining time lets clients do work.
const fail_over_every_ms = { min: 9_000, jitter: 3_000 }

// After a failover the clients must see that everything works again.
const load_after_ms = 3_000

// With slow recoveries fewer kills would fit. If the nemesis is behind, it kills sooner and injects
// no other fault that makes a server unavailable.
const catch_up_ms = { min: 1_200, jitter: 400 }

// The share of kills among faults that make a server or the database unavailable.
const kill_share = 0.9

export class Nemesis {
  readonly #parts: NemesisParts
  readonly #decks = new Map<string, NemesisName[]>()
  /** A server did not recover. A check reports it, and no more faults are injected. */
  #is_over = false
  #kills = 0

  constructor(parts: NemesisParts) {
    this.#parts = parts
  }

  async run(until_ms: number): Promise<void> {
    const { fleet } = this.#parts
    const { names } = this.#parts
    // Recovery from kill-both takes as long as from both kills separately, so it is half as
    // frequent.
    const single = names.filter((name) => /^kill-(server|database)$/.test(name))
    const kills = [...single, ...single, ...names.filter((name) => name === 'kill-both')]
    const stops = names.filter((name) => /^(stop-server|pause-database)$/.test(name))
    const fail_overs = names.filter((name) => name === 'fail-over')
    const others = names.filter((name) => ![...kills, ...stops, ...fail_overs].includes(name))
    await sleep(warm_up_ms)
    await Promise.all([
      this.#repeat(
        until_ms,
        () => this.#killPace(),
        () => this.#drawEnd(kills, stops),
      ),
      this.#repeat(
        until_ms,
        () => disturb_every_ms,
        () => this.#draw('others', others),
      ),
      this.#repeat(
        until_ms,
        () => fail_over_every_ms,
        () => this.#draw('fail-overs', fail_overs),
      ),
    ])
    if (!this.#is_over) await untilAllReady(fleet)
  }

  /** Injects each fault once, in the order that the seed gives, with load after each. */
  async runEach(): Promise<void> {
    await sleep(warm_up_ms)
    for (const _ of this.#parts.names) {
      if (this.#is_over) return
      await this.#inject(this.#draw('each', this.#parts.names)!)
      await sleep(load_after_ms)
    }
  }

  async #repeat(
    until_ms: number,
    pace: () => { min: number; jitter: number },
    draw: () => NemesisName | undefined,
  ): Promise<void> {
    const { recorder, random } = this.#parts
    while (recorder.now() < until_ms && !this.#is_over) {
      const name = draw()
      if (name === undefined) return
      const { min, jitter } = pace()
      const next_ms = recorder.now() + min + random.below(jitter)
      await this.#inject(name)
      await sleep(Math.max(100, next_ms - recorder.now()))
    }
  }

  #drawEnd(kills: NemesisName[], stops: NemesisName[]): NemesisName | undefined {
    const { random } = this.#parts
    const kill = stops.length === 0 || this.#isBehind() || random.chance(kill_share)
    if (!kill || kills.length === 0) return this.#draw('stops', stops)
    this.#kills += 1
    return this.#draw('kills', kills)
  }

  #isBehind(): boolean {
    return this.#kills < (this.#parts.recorder.now() / 60_000) * this.#parts.kills_per_minute
  }

  #killPace(): { min: number; jitter: number } {
    const { min, jitter } = this.#isBehind() ? catch_up_ms : kill_every_ms
    const slower = usual_kills_per_minute / this.#parts.kills_per_minute
    return { min: min * slower, jitter: jitter * slower }
  }

  /** Draws from a shuffled deck, so each fault occurs once before any repeats. */
  #draw(deck: string, names: NemesisName[]): NemesisName | undefined {
    const { random } = this.#parts
    let cards = this.#decks.get(deck) ?? []
    if (cards.length === 0) {
      cards = names
        .map((name) => ({ name, order: random.fraction() }))
        .sort((one, other) => one.order - other.order)
        .map(({ name }) => name)
    }
    const drawn = cards.pop()
    this.#decks.set(deck, cards)
    return drawn
  }

  async #inject(name: NemesisName): Promise<void> {
    const { recorder, fleet, random } = this.#parts
    const begun_ms = recorder.now()
    const failed_before = countFailedStarts(fleet)
    const more = await faults[name]({ fleet, random }).catch((error: Error) => {
      this.#is_over = true
      return { broken: error.message }
    })
    const failed_starts = countFailedStarts(fleet) - failed_before
    const healed_ms = recorder.now()
    recorder.add({ kind: 'fault', name, begun_ms, healed_ms, failed_starts, ...more })
  }
}

function countFailedStarts({ servers }: Fleet): number {
  return servers.reduce((sum, { failed_starts }) => sum + failed_starts, 0)
}
