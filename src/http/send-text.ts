// Sends JSON that is already serialized: rendered by the change, or replayed from a stored
// response.

import type { FastifyReply } from 'fastify'

export function sendText(
  reply: FastifyReply,
  response: { status: number; body: string | Buffer; replayed: boolean },
): FastifyReply {
  if (response.replayed) reply.header('idempotent-replayed', 'true')
  reply.code(response.status).type('application/json; charset=utf-8')
  return reply.serializer(unchanged).send(response.body)
}

function unchanged(body: unknown): string {
  return body as string
}
