// Harms a running Florin until it is told to stop, and leaves everything serving. What ends
// processes comes at a steady pace, one after the other; what only disturbs goes on beside it.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../../src/seeding/random.ts'
import type { Recorder } from '../record.ts'
import type { Fleet } from '../servers/fleet.ts'
import { faults, untilAllReady } from './faults.ts'
import type { NemesisName } from './nemesis-names.ts'

export interface NemesisParts {
  fleet: Fleet
  random: Random
  recorder: Recorder
  names: NemesisName[]
}

// Before the first harm something must be there that it can harm.
const peace_ms = 1_500

// From the beginning of one to that of the next: twenty kills a minute are asked for, and the rest
// of the time is for work that the next can destroy.
const kill_every_ms = { least: 1_900, more: 800 }
const disturb_every_ms = { least: 400, more: 1_600 }

// From its beginning; it takes some seconds, and the rest is for work that the next can destroy.
const fail_over_every_ms = { least: 9_000, more: 3_000 }

// Where a recovery takes long, fewer would fit: whoever is behind kills again sooner, and does
// nothing else that takes a server away.
const kills_per_ms = 20 / 60_000
const hurried_ms = { least: 1_200, more: 400 }

// The others that take a server or the database away come once in a while.
const kill_share = 0.9

export class Nemesis {
  readonly #parts: NemesisParts
  readonly #decks = new Map<string, NemesisName[]>()
  /** Something did not come back: a check tells it, and there is nothing left to harm. */
  #is_over = false
  #kills = 0

  constructor(parts: NemesisParts) {
    this.#parts = parts
  }

  async run(until_ms: number): Promise<void> {
    const { fleet } = this.#parts
    const { names } = this.#parts
    // Both take as long to recover as each of them together, so that comes half as often.
    const single = names.filter((name) => /^kill-(server|database)$/.test(name))
    const kills = [...single, ...single, ...names.filter((name) => name === 'kill-both')]
    const stops = names.filter((name) => /^(stop-server|pause-database)$/.test(name))
    const fail_overs = names.filter((name) => name === 'fail-over')
    const others = names.filter((name) => ![...kills, ...stops, ...fail_overs].includes(name))
    await sleep(peace_ms)
    await Promise.all([
      this.#repeat(
        until_ms,
        () => (this.#isBehind() ? hurried_ms : kill_every_ms),
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

  async #repeat(
    until_ms: number,
    pace: () => { least: number; more: number },
    draw: () => NemesisName | undefined,
  ): Promise<void> {
    const { recorder, random } = this.#parts
    while (recorder.now() < until_ms && !this.#is_over) {
      const name = draw()
      if (name === undefined) return
      const { least, more } = pace()
      const next_ms = recorder.now() + least + random.below(more)
      await this.#harm(name)
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
    return this.#kills < this.#parts.recorder.now() * kills_per_ms
  }

  /** Each kind once before any comes again. */
  #draw(deck: string, names: NemesisName[]): NemesisName | undefined {
    const { random } = this.#parts
    let cards = this.#decks.get(deck) ?? []
    if (cards.length === 0) {
      cards = names
        .map((name) => ({ name, place: random.fraction() }))
        .sort((one, other) => one.place - other.place)
        .map(({ name }) => name)
    }
    const drawn = cards.pop()
    this.#decks.set(deck, cards)
    return drawn
  }

  async #harm(name: NemesisName): Promise<void> {
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
