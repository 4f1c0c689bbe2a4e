// One crash: the requests of some cells are held at their points in one server, which is then
// killed and started again. First the database is judged as it is, then each request is sent again.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cleanUpSlice } from '../../../src/closing/clean-up.ts'
import { listClosings } from '../../../src/ledger/closings.ts'
import { type DatabaseHash, hashDatabase } from '../../support/hash-database.ts'
import { checkCell, type HeldCell, type Reference } from './check-cell.ts'
import type { CrashableServer } from './crashable-server.ts'
import { effectOf, sumOf } from './effect.ts'
import type { Cell } from './matrix.ts'
import type { WriteOperation } from './operations.ts'
import { crash_header, isBeforeCommit, type Point } from './points.ts'
import { nameOf, type PreparedRequest, type Recipe } from './recipe.ts'
import { type Reply, sendOnce } from './send-once.ts'
import { World } from './world.ts'

/** The same request each time, key and all; with a point it is held there. */
type Send = (held?: { id: string; point: Point }) => Promise<Reply | undefined>

export class WaveRunner {
  readonly #server: CrashableServer
  readonly #world: World
  readonly #references = new Map<Recipe, Reference>()
  #is_holding = false

  constructor(server: CrashableServer) {
    this.#server = server
    this.#world = new World(server)
  }

  async run(wave: Cell[]): Promise<void> {
    // Whatever a wave that failed holds in its server must not fail the next one too.
    if (this.#is_holding) await this.#restart()
    this.#is_holding = true
    await this.#crash(wave)
    this.#is_holding = false
  }

  async #crash(wave: Cell[]): Promise<void> {
    this.#world.nextWave()
    for (const cell of wave) await this.#measure(cell)
    const prepared: { cell: Cell; asked: PreparedRequest }[] = []
    for (const cell of wave) {
      prepared.push({ cell, asked: await cell.recipe.prepare(this.#world) })
    }
    const before = await this.#read()
    const held: HeldCell[] = []
    for (const { cell, asked } of prepared) held.push(await this.#hold(cell, asked))
    await this.#restart()
    await this.#finishClosings()
    requireCommitted(held, before, await this.#read())
    for (const cell of held) await named(cell, () => checkCell(cell))
  }

  async #restart(): Promise<void> {
    await this.#server.kill()
    await this.#server.start()
  }

  /** A closing that the crash interrupted is continued by the worker, which does not run here. */
  async #finishClosings(): Promise<void> {
    const { db, url: public_url } = this.#server
    for (const account_id of await listClosings(db)) {
      while (await cleanUpSlice({ db, public_url }, account_id));
    }
  }

  /** The first request of its kind goes through untouched, and tells what all others must do. */
  async #measure({ recipe, operation }: Cell): Promise<void> {
    if (this.#references.has(recipe)) return
    const asked = await recipe.prepare(this.#world)
    const before = await this.#read()
    const reply = await this.#sender(operation, asked)()
    assert.ok(reply && reply.status < 400, `${nameOf(recipe)}: ${reply?.text}`)
    const effect = effectOf(before, await this.#read())
    assert.notDeepEqual(effect, {}, `${nameOf(recipe)} is a write and changed nothing`)
    this.#references.set(recipe, { status: reply.status, effect })
  }

  async #hold({ recipe, operation, point }: Cell, asked: PreparedRequest): Promise<HeldCell> {
    const send = this.#sender(operation, asked)
    const id = randomUUID()
    let reply: Reply | undefined
    let is_over = false
    const sent = send({ id, point }).then((response) => {
      reply = response
      is_over = true
    })
    if (point === 'after the reply') await sent
    // That it has answered says that it comes to no point any more, but for the one behind.
    const isOver = () => is_over && point !== 'after the reply'
    const is_held = await this.#server.untilHeld(id, point, isOver)
    const is_expected = recipe.never?.[point] === undefined
    const what = `${nameOf(recipe)} was${is_held ? '' : ' not'} held ${point}: ${reply?.text}`
    assert.equal(is_held, is_expected, what)
    return {
      recipe,
      // What never comes to its point has been answered before the server is killed.
      point: is_held ? point : 'after the reply',
      asked,
      reference: this.#references.get(recipe)!,
      reply,
      sendAgain: () => send(),
      read: () => this.#read(),
    }
  }

  #sender(operation: WriteOperation, asked: PreparedRequest): Send {
    const { token, account_id, body, params = {}, headers: own = {} } = asked
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name]!)
    const headers = {
      ...own,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(account_id && { 'florin-account': account_id }),
      ...(operation.takes_idempotency_key && { 'idempotency-key': randomUUID() }),
    }
    return (held) =>
      sendOnce({
        method: operation.method,
        url: this.#server.url + path,
        headers: { ...headers, ...(held && { [crash_header]: JSON.stringify(held) }) },
        body,
      })
  }

  #read(): Promise<DatabaseHash> {
    return hashDatabase(this.#server.db.pool)
  }
}

/** All of what was committed is there, and nothing of what was not. */
function requireCommitted(held: HeldCell[], before: DatabaseHash, after: DatabaseHash): void {
  const committed = held.filter(({ point }) => !isBeforeCommit(point))
  if (committed.length === 0) assert.deepEqual(after, before, 'what was not committed is there')
  if (committed.some(({ recipe }) => recipe.multi_step !== undefined)) return
  assert.deepEqual(
    effectOf(before, after),
    sumOf(committed.map(({ reference }) => reference.effect)),
    `after the crash the database does not hold just what was committed: ${JSON.stringify(
      held.map(({ recipe, point }) => `${nameOf(recipe)} ${point}`),
    )}`,
  )
}

async function named({ recipe, point }: HeldCell, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (cause) {
    throw new Error(`${nameOf(recipe)}, killed ${point}`, { cause })
  }
}
