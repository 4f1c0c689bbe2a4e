// Sends JSON that is text already: rendered once, or kept from an earlier answer.

import type { FastifyReply } from 'fastify'

export function sendText(
  reply: FastifyReply,
  response: { status: number; body: string | Buffer; replayed: boolean },
): FastifyReply {
  if (response.replayed) reply.header('idempotent-replayed', 'true')
  reply.code(response.status).type('application/json; charset=utf-8')
  return reply.serializer(asItIs).send(response.body)
}

function asItIs(body: unknown): string {
  return body as string
}
