// Every operation that writes, as the generated OpenAPI file lists them.

import { readFileSync } from 'node:fs'

export interface WriteOperation {
  id: string
  method: string
  /** With its parameters in braces. */
  path: string
  takes_key: boolean
}

interface Described {
  operationId: string
  parameters?: { $ref?: string }[]
}

const file = new URL('../../../docs/reference/openapi.json', import.meta.url)

export function listWriteOperations(): WriteOperation[] {
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
        takes_key: parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey')),
      })),
  )
}
