import { Type } from 'typebox'
import { actorOf } from '../../identity/sessions/actor.ts'
import { requireLiveToken } from '../../identity/sessions/require-live-token.ts'
import { advanceClock, seconds_max } from '../../operations/advance-clock.ts'
import { route } from '../route.ts'
import { strictObject, timeOf } from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'

// Stays below the ten-second response deadline. The worker processes what is left by then.
const within_ms = 7_000

export const advanceClockRoute = route({
  method: 'POST',
  url: '/v1/sandbox/clock/advance',
  access: { token: 'required', operation: 'advance_clock', multi_step: true },
  schema: {
    tags: ['Sandbox'],
    operationId: 'advanceClock',
    summary: 'Advance the sandbox clock',
    description:
      'For admins. Moves the time of all business objects forward and responds when ' +
      'everything that became due is processed. The clock never moves back. Sessions use ' +
      'real time.',
    body: strictObject({
      seconds: Type.Integer({
        minimum: 1,
        maximum: seconds_max,
        description: 'The seconds to advance, at most ten years at once and 100 years in total.',
        examples: [259_200],
      }),
    }),
  },
  success: [200, 'The clock was advanced.', Type.Object({ now: timeOf('The new time.') })],
  refusals: [
    ['invalid_request', 'A field is missing, malformed or unknown, or the limit is exceeded.'],
    refused.notAdmin,
  ],
  handler: ({ caller, body }, context) =>
    advanceClock(context, {
      actor: actorOf(caller),
      seconds: body.seconds,
      within_ms,
      check: (tx) => requireLiveToken(tx, caller),
      idempotency: caller.idempotency,
    }),
})

/** Registered in sandbox mode only. */
export const clockRoutes = [advanceClockRoute]
