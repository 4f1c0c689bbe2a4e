// What the OpenAPI file needs to know about a route and no schema says: how it admits callers and
// whether it takes a body at all. Marked here, read and removed by complete-description.ts.

import type { RouteOptions } from 'fastify'
import { type Permission, permissions } from '../sessions/permissions.ts'
import { type Access, type AuthenticatedAccess, emptyBody } from './admission.ts'

export interface OperationMarks {
  body_optional: boolean
  /** Admins and platform users may, or must, name an account in Florin-Account. */
  takes_account: boolean
  counted: boolean
  /** A change with a token: an Idempotency-Key makes it happen once. */
  takes_idempotency_key: boolean
  /** What an API key needs for it; undefined where no key may. */
  scope: string | undefined
  /** The key of an account never may, whatever its scopes. */
  for_platforms: boolean
}

export const mark_key = 'x-florin'

type Schema = Record<string, unknown>

export function markOperation(schema: Schema | undefined, route: RouteOptions): Schema {
  const access = route.config?.access
  const marks: OperationMarks = {
    body_optional: route.preValidation === emptyBody,
    takes_account: access !== undefined && 'operation' in access && takesAccount(access.operation),
    counted: access?.token !== 'uncounted',
    takes_idempotency_key: access !== undefined && 'operation' in access && route.method !== 'GET',
    scope: scopeOf(access),
    for_platforms: access !== undefined && 'operation' in access && isForPlatforms(access),
  }
  return { security: security(access), ...schema, [mark_key]: marks }
}

/** Whether Florin-Account means anything for those who run the service. */
function takesAccount(operation: Permission): boolean {
  // It finds things of all accounts, and by the header those that are numbered within one.
  return operation === 'search' || isAccountScoped(operation)
}

/** Whether by it they reach nothing but what the named account has. */
export function isAccountScoped(operation: Permission): boolean {
  // A user made with the header is a member of that account; without it, nobody's.
  if (operation === 'create_user') return true
  // Those who run the service reach what all accounts have of these, or with it what one has.
  if (/_(transaction|payment)s?$/.test(operation)) return true
  if (operation === 'read_audit_log' || operation === 'read_emails') return true
  const cells = Object.values<unknown>(permissions[operation])
  return cells.includes('header') || cells.includes('service')
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

/** OpenAPI 3.1 lets any kind of security name the roles that it needs: a key's are its scopes. */
function security(access: Access | undefined): Record<string, string[]>[] {
  if (access?.token !== 'required' && access?.token !== 'or_sign_up') return []
  const scope = scopeOf(access)
  const by_key = scope === undefined ? [] : [{ api_key: [scope] }]
  const anonymous = access.token === 'or_sign_up' ? [{}] : []
  return [...anonymous, { access_token: [] }, ...by_key]
}
