// Random sequences of requests about everything that the API has, by everybody there is, against a
// pure model: whatever the server answers, the model said it first.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startFlorin } from '../support/florin.ts'
import { assertVerifyPasses } from '../support/invariants.ts'
import { importsOf, sourceFiles } from '../support/source-tree.ts'
import { openServer, openWorld } from './run/open-world.ts'
import { closeAll, readBack } from './run/read-back.ts'
import { again, command, journey, pay } from './run/take-step.ts'
import { accountSteps, closingSteps } from './steps/accounts.ts'
import { developerStarts, eventSteps, keySteps, webhookSteps } from './steps/developers.ts'
import { journeys } from './steps/journeys.ts'
import { moneyReads, moneyStarts, moneySteps } from './steps/money.ts'
import { paymentStarts, paymentSteps } from './steps/payments.ts'
import { sessionSteps, userSteps } from './steps/people.ts'
import { clockSteps, subscriptionStarts, subscriptionSteps } from './steps/subscriptions.ts'

const is_long = process.env.FLORIN_LONG !== undefined
const sequences = is_long ? 1_000 : 20
// Something to work with comes first, or half of the steps would be about nothing.
const starts_max = 12
const steps_max = 48
// What `florin verify` says is about the whole database, which grows with every sequence.
const verify_every = is_long ? 50 : 4
let run = 0
/** A failing run prints its seed and path: with both it is played again at once. */
const { FLORIN_MODEL_SEED, FLORIN_MODEL_PATH, FLORIN_MODEL_VERBOSE } = process.env
const seed = Number(FLORIN_MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31))

const florin = await startFlorin({ FLORIN_TRUST_PROXY: '1' })
const server = await openServer(florin)

test('any sequence of requests is answered as the model says', { timeout: 3_600_000 }, async () => {
  const steps = [
    ...[...moneySteps, ...moneyReads, ...paymentSteps, ...subscriptionSteps, ...clockSteps],
    ...[...sessionSteps, ...userSteps, ...accountSteps, ...closingSteps],
    ...[...keySteps, ...webhookSteps, ...eventSteps],
  ].map((one) => one.map(command))
  // The clock goes a hundred years at the most, and a thousand sequences share it.
  const longer = (is_long ? journeys : [...journeys, ...journeys]).map((one) => one.map(journey))
  const starts = [...moneyStarts, ...paymentStarts, ...subscriptionStarts, ...developerStarts]
  const first = fc.commands(
    starts.map((one) => one.map(command)),
    { maxCommands: starts_max, size: 'max' },
  )
  const then = fc.commands([...steps, ...longer, pay, pay, again, again], {
    maxCommands: steps_max,
    size: 'max',
  })
  const property = fc.asyncProperty(first, then, async (begun, chosen) => {
    const world = await openWorld(server)
    await fc.asyncModelRun(() => ({ model: world, real: server }), begun)
    await fc.asyncModelRun(() => ({ model: world, real: server }), chosen)
    await readBack(server, world)
    await closeAll(server, world)
    run += 1
    if (run % verify_every === 0) await assertVerifyPasses(florin.db)
  })
  const path = FLORIN_MODEL_PATH === undefined ? {} : { path: FLORIN_MODEL_PATH }
  await fc.assert(property, { numRuns: sequences, seed, ...path })
  const told = [...server.tellings].sort()
  judgeFloors(told)
  if (FLORIN_MODEL_VERBOSE) for (const [what, times] of told) console.log(times, what)
})

/** A run that met too little says nothing. */
function judgeFloors(told: [string, number][]): void {
  const sum = (some: [string, number][]) => some.reduce((all, [, times]) => all + times, 0)
  const refused = told.filter(([what]) => / 4\d\d /.test(what))
  console.log(
    `${sequences} sequences of seed ${seed}: ${sum(told)} responses, ${sum(refused)} of them ` +
      `refusals, of ${told.length} kinds`,
  )
  assert.ok(told.length > 90, `${told.length} kinds of answers are too few`)
  assert.ok(sum(refused) > 4 * sequences, `${sum(refused)} refusals are too few`)
}

test('the model knows nothing of what it judges', () => {
  const outside = sourceFiles('test/model')
    .filter((path) => /^test\/model\/[^/]+$/.test(path) && !path.endsWith('.test.ts'))
    .flatMap((path) => importsOf(path).map((target) => `${path} imports ${target}`))
    .filter((line) => !/ imports test\/model\/[^/]+$/.test(line))
  assert.deepEqual(outside, [])
})
