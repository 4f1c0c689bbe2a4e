// Every operation that writes: as the generated OpenAPI file lists them, and those of pages.

import { readFileSync } from 'node:fs'

export interface WriteOperation {
  id: string
  method: string
  /** With its parameters in braces. */
  path: string
  takes_idempotency_key: boolean
}

interface Described {
  operationId: string
  parameters?: { $ref?: string }[]
}

const file = new URL('../../../docs/reference/openapi.json', import.meta.url)

export const page_writes: WriteOperation[] = [
  { id: 'payByCard', method: 'POST', path: '/pay/{token}', takes_idempotency_key: false },
  {
    id: 'dashboardLogIn',
    method: 'POST',
    path: '/dashboard/api/session',
    takes_idempotency_key: false,
  },
  {
    id: 'dashboardLogOut',
    method: 'DELETE',
    path: '/dashboard/api/session',
    takes_idempotency_key: false,
  },
]

/** Pages that write and have no recipe. */
export const excluded_writes = {
  'POST /setup/{}': 'Only a server without an admin has it, and all recipes share one with.',
  'POST /confirm-email/{}': 'Only live mode has it; it makes the change of updateAccount.',
}

export function listWriteOperations(): WriteOperation[] {
  return [...apiWrites(), ...page_writes]
}

function apiWrites(): WriteOperation[] {
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, Described>>
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'get')
      .map(([method, { operationId: id, parameters = [] }]) => ({
        id,
        method: method.toUpperCase(),
        path,
        takes_idempotency_key: parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey')),
      })),
  )
}
