// One crash: the requests of several cells are stopped at their points in one server, which is
// killed and restarted. First the database is checked as it is, then each request is repeated.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { listClosings } from '../../../src/ledger/closings.ts'
import { cleanUpSlice } from '../../../src/operations/clean-up.ts'
import { type DatabaseHash, hashDatabase } from '../../support/hash-database.ts'
import { type CrashedCell, checkCell, hasEarlySteps, type Reference } from './check-cell.ts'
import type { CrashableServer } from './crashable-server.ts'
import { effectOf, sumOf } from './effect.ts'
import type { Cell } from './matrix.ts'
import type { WriteOperation } from './operations.ts'
import { crash_header, isBeforeCommit, type Point } from './points.ts'
import { nameOf, type PreparedRequest, type Recipe } from './recipe.ts'
import { requestSender } from './request-sender.ts'
import type { Reply } from './send-once.ts'
import { World } from './world.ts'

/** Sends the same request each time, with the same key. With a point it stops there. */
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
    // Requests left in the server by a failed wave must not fail the next one.
    if (this.#is_holding) await this.#restart()
    this.#is_holding = true
    await this.#crash(wave)
    this.#is_holding = false
  }

  async #crash(wave: Cell[]): Promise<void> {
    this.#world.nextWave()
    // Without an admin each start would store a new setup link.
    await this.#world.admin()
    for (const cell of wave) await this.#measure(cell)
    const prepared: { cell: Cell; request: PreparedRequest }[] = []
    for (const cell of wave) {
      prepared.push({ cell, request: await cell.recipe.prepare(this.#world) })
    }
    const before = await this.#read()
    const crashed: CrashedCell[] = []
    for (const { cell, request } of prepared) crashed.push(await this.#hold(cell, request))
    await this.#restart()
    await this.#finishClosings()
    requireCommitted(crashed, before, await this.#read())
    for (const cell of crashed) await withCellName(cell, () => checkCell(cell))
  }

  async #restart(): Promise<void> {
    await this.#server.kill()
    await this.#server.start()
  }

  /** Completes closings that the crash interrupted, because the worker does not run here. */
  async #finishClosings(): Promise<void> {
    const { db, public_url } = this.#server
    for (const account_id of await listClosings(db)) {
      while (await cleanUpSlice({ db, public_url }, account_id));
    }
  }

  /** Runs the first request of its kind without a crash, as the reference for all others. */
  async #measure({ recipe, operation }: Cell): Promise<void> {
    if (this.#references.has(recipe)) return
    const request = await recipe.prepare(this.#world)
    const before = await this.#read()
    const reply = await this.#sender(operation, request)()
    assert.ok(reply && reply.status < 400, `${nameOf(recipe)}: ${reply?.text}`)
    const effect = effectOf(before, await this.#read())
    assert.notDeepEqual(effect, {}, `${nameOf(recipe)} should write, but changed nothing`)
    this.#references.set(recipe, { status: reply.status, effect })
  }

  async #hold({ recipe, operation, point }: Cell, request: PreparedRequest): Promise<CrashedCell> {
    const send = this.#sender(operation, request)
    const id = randomUUID()
    let reply: Reply | undefined
    let is_over = false
    const sent = send({ id, point }).then((response) => {
      reply = response
      is_over = true
    })
    if (point === 'after the reply') await sent
    // A request that has its response will not stop at any point but 'after the reply'.
    const isOver = () => is_over && point !== 'after the reply'
    const is_held = await this.#server.untilHeld(id, point, isOver)
    const is_expected = recipe.unreachable?.[point] === undefined
    const what = `${nameOf(recipe)} did${is_held ? '' : ' not'} stop ${point}: ${reply?.text}`
    assert.equal(is_held, is_expected, what)
    return {
      recipe,
      // A request that never reaches its point has its response before the server is killed.
      point: is_held ? point : 'after the reply',
      request,
      reference: this.#references.get(recipe)!,
      reply,
      sendAgain: () => send(),
      read: () => this.#read(),
    }
  }

  #sender(operation: WriteOperation, request: PreparedRequest): Send {
    const send = requestSender(this.#server.url, operation, request)
    return (held) => send(held && { [crash_header]: JSON.stringify(held) })
  }

  #read(): Promise<DatabaseHash> {
    return hashDatabase(this.#server.db.pool)
  }
}

/** Asserts that everything committed is present, and nothing else. */
function requireCommitted(cells: CrashedCell[], before: DatabaseHash, after: DatabaseHash): void {
  if (cells.some(hasEarlySteps)) return
  const committed = cells.filter(({ point }) => !isBeforeCommit(point))
  if (committed.length === 0) assert.deepEqual(after, before, 'uncommitted changes are present')
  if (committed.some(({ recipe }) => recipe.multi_step !== undefined)) return
  assert.deepEqual(
    effectOf(before, after),
    sumOf(committed.map(({ reference }) => reference.effect)),
    `after the crash the database differs from what was committed: ${JSON.stringify(
      cells.map(({ recipe, point }) => `${nameOf(recipe)} ${point}`),
    )}`,
  )
}

async function withCellName(
  { recipe, point }: CrashedCell,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (cause) {
    throw new Error(`${nameOf(recipe)}, killed ${point}`, { cause })
  }
}
