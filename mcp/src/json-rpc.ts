// JSON-RPC 2.0 with the restrictions of the Model Context Protocol: one message per line, ids are
// strings or integers, no batches.

export type RequestId = string | number

export interface Request {
  id: RequestId
  method: string
  params: Record<string, unknown>
}

export interface Notification {
  id: undefined
  method: string
  params: Record<string, unknown>
}

const fault_codes = {
  parse: -32_700,
  invalid_request: -32_600,
  unknown_method: -32_601,
  invalid_params: -32_602,
  internal: -32_603,
  /** Only in revisions before 2026-07-28, which uses invalid_params instead. */
  unknown_resource: -32_002,
  unsupported_version: -32_022,
} as const

/** A protocol error. An API error is a tool result instead. */
export class RpcFault extends Error {
  override name = 'RpcFault'
  readonly code: number
  readonly data: unknown
  /** Id of the request, if it could be read. */
  readonly id: RequestId | null

  constructor(
    kind: keyof typeof fault_codes,
    message: string,
    more: { data?: unknown; id?: RequestId | null } = {},
  ) {
    super(message)
    this.code = fault_codes[kind]
    this.data = more.data
    this.id = more.id ?? null
  }
}

/** Undefined for a response: this server sends no requests, so it ignores responses. */
export function readMessage(line: string): Request | Notification | undefined {
  const message = parse(line)
  if (!isObject(message)) {
    throw new RpcFault('invalid_request', 'A message must be one JSON object on one line.')
  }
  const { id, method, params } = message
  const known_id = isId(id) ? id : null
  if (method === undefined && ('result' in message || 'error' in message)) return undefined
  if (message.jsonrpc !== '2.0' || typeof method !== 'string') {
    throw new RpcFault(
      'invalid_request',
      '"jsonrpc" must be "2.0" and "method" must be a string.',
      {
        id: known_id,
      },
    )
  }
  if (params !== undefined && !isObject(params)) {
    throw new RpcFault('invalid_params', '"params" must be an object.', { id: known_id })
  }
  if (id === undefined) return { id, method, params: params ?? {} }
  if (!isId(id)) throw new RpcFault('invalid_request', '"id" must be a string or an integer.')
  return { id, method, params: params ?? {} }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new RpcFault('parse', 'The line is not valid JSON.')
  }
}

function isId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function resultLine(id: RequestId, result: unknown): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`
}

export function faultLine({ code, message, data }: RpcFault, id: RequestId | null): string {
  const error = { code, message, ...(data !== undefined && { data }) }
  return `${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`
}
