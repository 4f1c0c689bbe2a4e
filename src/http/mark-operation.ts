// What the OpenAPI file needs to know about a route and no schema says: how it admits callers and
// whether it takes a body at all. Marked here, read and removed by complete-description.ts.

import type { RouteOptions } from 'fastify'
import { permissions } from '../sessions/permissions.ts'
import { type Access, emptyBody } from './admission.ts'

export interface OperationMarks {
  body_optional: boolean
  /** Admins and platform users may, or must, name an account in Florin-Account. */
  takes_account: boolean
  counted: boolean
  /** A change with a token: an Idempotency-Key makes it happen once. */
  takes_key: boolean
}

export const mark_key = 'x-florin'

type Schema = Record<string, unknown>

export function markOperation(schema: Schema | undefined, route: RouteOptions): Schema {
  const access = route.config?.access
  const marks: OperationMarks = {
    body_optional: route.preValidation === emptyBody,
    takes_account: access !== undefined && takesAccount(access),
    counted: access?.token !== 'uncounted',
    takes_key: access !== undefined && 'operation' in access && route.method !== 'GET',
  }
  return { security: security(access), ...schema, [mark_key]: marks }
}

function takesAccount(access: Access): boolean {
  if (!('operation' in access)) return false
  // A user made with the header is a member of that account; without it, nobody's.
  if (access.operation === 'create_user') return true
  // Those who run the service reach what all accounts have of these, or with it what one has.
  if (/_(transaction|payment)s?$/.test(access.operation)) return true
  const cells = Object.values<unknown>(permissions[access.operation])
  return cells.includes('header') || cells.includes('service')
}

function security(access: Access | undefined): Record<string, string[]>[] {
  if (access?.token === 'required') return [{ access_token: [] }]
  return access?.token === 'or_sign_up' ? [{}, { access_token: [] }] : []
}
