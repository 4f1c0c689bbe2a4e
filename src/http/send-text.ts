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

export function sendJson(reply: FastifyReply, body: string): FastifyReply {
  return sendText(reply, { status: 200, body, replayed: false })
}

/** Sends a page of a list whose entries are rendered by their noun. */
export function sendList<Row>(
  reply: FastifyReply,
  page: { data: Row[]; has_more: boolean },
  render: (row: Row) => string,
): FastifyReply {
  const data = page.data.map(render).join(',')
  return sendJson(reply, `{"object":"list","data":[${data}],"has_more":${page.has_more}}`)
}

function unchanged(body: unknown): string {
  return body as string
}
