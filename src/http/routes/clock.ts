import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { advanceClock, type DueParts, seconds_max } from '../../clock/advance-clock.ts'
import { actorOf } from '../../sessions/actor.ts'
import { requireLiveToken } from '../../sessions/require-live-token.ts'
import { callerOf } from '../admission.ts'
import { responseSchemas } from '../response-schemas.ts'
import { strictObject, timeOf } from '../schemas.ts'
import { Type } from '../type.ts'

// Every request is answered within ten seconds. What is left by then the worker does.
const within_ms = 7_000

/** For sandboxes: in live mode there is no such route. */
export function clockRoutes(parts: DueParts): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.route({
      method: 'POST',
      url: '/v1/sandbox/clock/advance',
      config: { access: { token: 'required', operation: 'advance_clock', multi_step: true } },
      schema: {
        tags: ['Sandbox'],
        operationId: 'advanceClock',
        summary: "Advance the sandbox's clock",
        description:
          'For admins. Takes the time of all business objects ahead, and answers when all that ' +
          'became due by it is done. The clock never goes back. Sessions keep to real time.',
        body: strictObject({
          seconds: Type.Integer({
            minimum: 1,
            maximum: seconds_max,
            description: 'How far, at most ten years at once and a hundred in all.',
            examples: [259_200],
          }),
        }),
        response: responseSchemas({
          body: true,
          success: {
            status: 200,
            description: 'The clock was advanced.',
            schema: Type.Object({ now: timeOf('What the clock says now.') }),
          },
          refusals: [
            ['invalid_request', 'A field is missing, malformed or unknown, or it is too far.'],
            ['unauthorized', "The token is missing, not valid, or not an admin's."],
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
