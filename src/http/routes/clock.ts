import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { actorOf } from '../../identity/sessions/actor.ts'
import { requireLiveToken } from '../../identity/sessions/require-live-token.ts'
import { advanceClock, type DueParts, seconds_max } from '../../operations/advance-clock.ts'
import { callerOf } from '../admission.ts'
import { strictObject, timeOf } from '../schemas/resources.ts'
import { responseSchemas } from '../schemas/response.ts'

// Stays below the ten-second response deadline. The worker processes what is left by then.
const within_ms = 7_000

/** Registered in sandbox mode only. */
export function clockRoutes(parts: DueParts): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.route({
      method: 'POST',
      url: '/v1/sandbox/clock/advance',
      config: { access: { token: 'required', operation: 'advance_clock', multi_step: true } },
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
            description:
              'The seconds to advance, at most ten years at once and 100 years in total.',
            examples: [259_200],
          }),
        }),
        response: responseSchemas({
          body: true,
          success: {
            status: 200,
            description: 'The clock was advanced.',
            schema: Type.Object({ now: timeOf('The new time.') }),
          },
          refusals: [
            [
              'invalid_request',
              'A field is missing, malformed or unknown, or the limit is exceeded.',
            ],
            ['unauthorized', 'The token is missing, invalid or not an admin token.'],
          ],
        }),
      },
      handler: async (request) => {
        const caller = callerOf(request)
        return advanceClock(parts, {
          actor: actorOf(caller),
          seconds: request.body.seconds,
          within_ms,
          check: (tx) => requireLiveToken(tx, caller),
          idempotency: caller.idempotency,
        })
      },
    })
  }
}
