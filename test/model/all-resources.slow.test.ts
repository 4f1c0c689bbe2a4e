// Sends random sequences of requests to every endpoint, by every kind of caller, and compares each
// response with a pure model.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startFlorin } from '../support/florin.ts'
import { assertVerifyPasses } from '../support/invariants.ts'
import { importsOf, sourceFiles } from '../support/source-tree.ts'
import { openServer, openWorld } from './run/open-world.ts'
import { closeAll, readBack } from './run/read-back.ts'
import { command, journey, pay, replay } from './run/take-step.ts'
import { accountSteps, closingSteps } from './steps/accounts.ts'
import { developerStarts, eventSteps, keySteps, webhookSteps } from './steps/developers.ts'
import { journeys } from './steps/journeys.ts'
import { moneyReads, moneyStarts, moneySteps } from './steps/money.ts'
import { paymentStarts, paymentSteps } from './steps/payments.ts'
import { sessionSteps, userSteps } from './steps/people.ts'
import { clockSteps, subscriptionStarts, subscriptionSteps } from './steps/subscriptions.ts'

const is_long = process.env.FLORIN_LONG !== undefined
const whole = is_long ? 1_000 : 20
const sequences = Number(process.env.FLORIN_MODEL_SEQUENCES ?? whole)
// Each sequence starts with creations, or half of the steps would have nothing to act on.
const max_starts = 12
const max_steps = 48
// `florin verify` checks the whole database, which grows with every sequence.
const verify_every = is_long ? 50 : 4
let run = 0
/** A failing run prints its seed and path, which reproduce it directly. */
const { FLORIN_MODEL_SEED, FLORIN_MODEL_PATH, FLORIN_MODEL_VERBOSE } = process.env
const seed = Number(FLORIN_MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31))

const florin = await startFlorin({ FLORIN_TRUST_PROXY: '1' })
const server = await openServer(florin)

const timeout = is_long ? 3_600_000 : 600_000

test('the server responds to any sequence like the model', { timeout }, async () => {
  const steps = [
    ...[...moneySteps, ...moneyReads, ...paymentSteps, ...subscriptionSteps, ...clockSteps],
    ...[...sessionSteps, ...userSteps, ...accountSteps, ...closingSteps],
    ...[...keySteps, ...webhookSteps, ...eventSteps],
  ].map((one) => one.map(command))
  // The clock advances by at most a hundred years, and all sequences share it.
  const longer = (is_long ? journeys : [...journeys, ...journeys]).map((one) => one.map(journey))
  const starts = [...moneyStarts, ...paymentStarts, ...subscriptionStarts, ...developerStarts]
  const first = fc.commands(
    starts.map((one) => one.map(command)),
    { maxCommands: max_starts, size: 'max' },
  )
  const then = fc.commands([...steps, ...longer, pay, pay, replay, replay], {
    maxCommands: max_steps,
    size: 'max',
  })
  const property = fc.asyncProperty(first, then, async (starting, chosen) => {
    const world = await openWorld(server)
    await fc.asyncModelRun(() => ({ model: world, real: server }), starting)
    await fc.asyncModelRun(() => ({ model: world, real: server }), chosen)
    await readBack(server, world)
    await closeAll(server, world)
    run += 1
    if (run % verify_every === 0) await assertVerifyPasses(florin.db)
  })
  const path = FLORIN_MODEL_PATH === undefined ? {} : { path: FLORIN_MODEL_PATH }
  await fc.assert(property, { numRuns: sequences, seed, ...path })
  const counts = [...server.outcome_counts].sort()
  requireCoverage(counts)
  if (FLORIN_MODEL_VERBOSE) for (const [what, times] of counts) console.log(times, what)
})

/** A run with too little coverage proves nothing. */
function requireCoverage(counts: [string, number][]): void {
  const sum = (some: [string, number][]) => some.reduce((all, [, times]) => all + times, 0)
  const rejected = counts.filter(([what]) => / 4\d\d /.test(what))
  console.log(
    `${sequences} sequences of seed ${seed}: ${sum(counts)} responses, ${sum(rejected)} of them ` +
      `rejections, of ${counts.length} kinds`,
  )
  const kinds_min = sequences < whole ? 10 : 90
  assert.ok(counts.length > kinds_min, `too few kinds of responses: ${counts.length}`)
  assert.ok(sum(rejected) > 4 * sequences, `too few rejections: ${sum(rejected)}`)
}

test('the model imports nothing from the server', () => {
  const outside = sourceFiles('test/model')
    .filter((path) => /^test\/model\/[^/]+$/.test(path) && !path.endsWith('.test.ts'))
    .flatMap((path) => importsOf(path).map((target) => `${path} imports ${target}`))
    .filter((line) => !/ imports test\/model\/[^/]+$/.test(line))
  assert.deepEqual(outside, [])
})
