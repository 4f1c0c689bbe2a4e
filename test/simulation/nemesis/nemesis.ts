// Does one fault after the other until it is told to stop, kills more often than anything else, and
// leaves everything serving. Locks are held beside other faults, since they take their time.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../../src/seeding/random.ts'
import type { Recorder } from '../record.ts'
import type { Fleet } from '../servers/fleet.ts'
import { faults, isPossible, untilAllReady } from './faults.ts'
import type { NemesisName } from './nemesis-names.ts'

export interface NemesisParts {
  fleet: Fleet
  random: Random
  recorder: Recorder
  names: NemesisName[]
}

// A kill every three seconds is asked for, and each takes a second or more to recover from.
const kill_share = 0.6
const pause_ms_most = 500

// Before the first harm something must be there that it can harm.
const peace_ms = 1_500

export class Nemesis {
  readonly #parts: NemesisParts
  readonly #beside = new Set<Promise<void>>()
  readonly #decks = new Map<string, NemesisName[]>()
  /** Something did not come back: a check tells it, and there is nothing left to harm. */
  #is_over = false

  constructor(parts: NemesisParts) {
    this.#parts = parts
  }

  async run(until_ms: number): Promise<void> {
    const { recorder, random, fleet } = this.#parts
    const names = this.#parts.names.filter((name) => isPossible(name, fleet))
    const kills = names.filter((name) => name.startsWith('kill'))
    const others = names.filter((name) => !name.startsWith('kill'))
    await sleep(peace_ms)
    while (names.length > 0 && recorder.now() < until_ms && !this.#is_over) {
      await sleep(100 + random.below(pause_ms_most))
      const kill = others.length === 0 || (kills.length > 0 && random.chance(kill_share))
      await this.#do(kill ? this.#draw('kills', kills) : this.#draw('others', others))
    }
    await Promise.all(this.#beside)
    if (!this.#is_over) await untilAllReady(fleet)
  }

  /** Each kind once before any comes again. */
  #draw(deck: string, names: NemesisName[]): NemesisName {
    const { random } = this.#parts
    let cards = this.#decks.get(deck) ?? []
    if (cards.length === 0) {
      cards = names
        .map((name) => ({ name, place: random.fraction() }))
        .sort((one, other) => one.place - other.place)
        .map(({ name }) => name)
    }
    const drawn = cards.pop()!
    this.#decks.set(deck, cards)
    return drawn
  }

  async #do(name: NemesisName): Promise<void> {
    const done = this.#harm(name)
    if (name !== 'hold-locks') return done
    this.#beside.add(done)
    void done.finally(() => this.#beside.delete(done))
  }

  async #harm(name: NemesisName): Promise<void> {
    const { recorder, fleet, random } = this.#parts
    const begun_ms = recorder.now()
    const more = await faults[name]({ fleet, random }).catch((error: Error) => {
      this.#is_over = true
      return { broken: error.message }
    })
    recorder.add({ kind: 'fault', name, begun_ms, healed_ms: recorder.now(), ...more })
  }
}
