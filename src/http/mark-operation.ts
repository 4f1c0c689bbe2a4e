// Facts about a route that the OpenAPI document needs and no schema contains: how it
// authenticates, and whether it takes a body. complete-description.ts reads and removes these
// marks.

import type { RouteOptions } from 'fastify'
import { type Permission, permissions } from '../identity/permissions.ts'
import { type Access, type AuthenticatedAccess, emptyBody } from './admission.ts'

export interface OperationMarks {
  body_optional: boolean
  /** The body is a file. */
  takes_file: boolean
  /** Admins and platform users may or must name an account in Florin-Account. */
  takes_account: boolean
  counted: boolean
  /** An authenticated change: an Idempotency-Key makes it safe to retry. */
  takes_idempotency_key: boolean
  /** The scope that an API key needs; undefined when API keys are not allowed. */
  scope: string | undefined
  /** Account keys are never allowed, whatever their scopes. */
  for_platforms: boolean
}

export const mark_key = 'x-florin'

type Schema = Record<string, unknown>

export function markOperation(schema: Schema | undefined, route: RouteOptions): Schema {
  const access = route.config?.access
  const marks: OperationMarks = {
    body_optional: route.preValidation === emptyBody,
    takes_file: access !== undefined && 'file' in access && access.file === true,
    takes_account: access !== undefined && 'operation' in access && takesAccount(access.operation),
    counted: access?.token !== 'uncounted',
    takes_idempotency_key: access !== undefined && 'operation' in access && route.method !== 'GET',
    scope: scopeOf(access),
    for_platforms: access !== undefined && 'operation' in access && isForPlatforms(access),
  }
  return { security: security(access), ...schema, [mark_key]: marks }
}

/** Whether Florin-Account has an effect for admins and platform users. */
function takesAccount(operation: Permission): boolean {
  const cells = Object.values<unknown>(permissions[operation])
  return ['header', 'any_or_header', 'service'].some((reach) => cells.includes(reach))
}

function scopeOf(access: Access | undefined): string | undefined {
  if (access === undefined || !('operation' in access)) return undefined
  const { scope } = permissions[access.operation]
  return scope === 'never' ? undefined : scope
}

function isForPlatforms({ operation }: AuthenticatedAccess): boolean {
  const { account_key } = permissions[operation]
  return account_key === 401 || account_key === 403
}

/** OpenAPI 3.1 allows role names with any security scheme. For API keys these are the scopes. */
function security(access: Access | undefined): Record<string, string[]>[] {
  if (access?.token !== 'required' && access?.token !== 'or_sign_up') return []
  const scope = scopeOf(access)
  const by_key = scope === undefined ? [] : [{ api_key: [scope] }]
  const anonymous = access.token === 'or_sign_up' ? [{}] : []
  return [...anonymous, { access_token: [] }, ...by_key]
}
