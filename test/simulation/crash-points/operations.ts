// Every operation that writes: those of the generated OpenAPI document, and those of pages.

import { readFileSync } from 'node:fs'

export interface WriteOperation {
  id: string
  method: string
  /** With parameters in braces. */
  path: string
  takes_idempotency_key: boolean
}

interface OperationObject {
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

/** Pages that write but have no recipe, with the reason. */
export const excluded_writes = {
  'POST /setup/{}': 'Available only without an admin, but all recipes share a server with one.',
  'POST /confirm-email/{}':
    'Available only in live mode; it makes the same change as updateAccount.',
  'POST /join/{}': 'Its link is in an email; it makes the same change as createUser.',
  'POST /reset/{}': 'Its link is in an email; it makes the same change as updateUser.',
  'POST /reset': 'It makes the same change as requestPasswordReset.',
  'POST /verify/{}': 'Available only in live mode; it makes the same change as updateUser.',
}

export function listWriteOperations(): WriteOperation[] {
  return [...apiWrites(), ...page_writes]
}

function apiWrites(): WriteOperation[] {
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, OperationObject>>
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
