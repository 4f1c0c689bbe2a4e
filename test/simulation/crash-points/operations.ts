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
  page('payByCard', 'POST', '/pay/{token}'),
  page('startLinkPayment', 'POST', '/l/{slug}'),
  page('signUp', 'POST', '/signup'),
  page('askForReset', 'POST', '/reset'),
  page('dashboardLogIn', 'POST', '/dashboard/api/session'),
  page('dashboardLogOut', 'DELETE', '/dashboard/api/session'),
  page('dashboardConfirm', 'POST', '/dashboard/api/session/confirm'),
  page('dashboardPasskeyOptions', 'POST', '/dashboard/api/session/passkey_options'),
  page('dashboardPasskeyLogIn', 'POST', '/dashboard/api/session/passkey'),
]

function page(id: string, method: string, path: string): WriteOperation {
  return { id, method, path, takes_idempotency_key: false }
}

/** Pages that write but have no recipe, with the reason. */
export const excluded_writes = {
  'POST /setup/{}': 'Available only without an admin, but all recipes share a server with one.',
  'POST /confirm-email/{}':
    'Available only in live mode; it makes the same change as updateAccount.',
  'POST /join/{}': 'Its link is in an email; it makes the same change as createUser.',
  'POST /reset/{}': 'Its link is in an email; it makes the same change as updateUser.',
  'POST /verify/{}': 'Available only in live mode; it makes the same change as updateUser.',
  'POST /dashboard/oidc/link': 'Available only with a login provider, which the server lacks.',
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
