// florin admin create: creates admins and platform users from a shell on the server.

import { type AdminInput, createAdmin } from '../../identity/users/create-admin.ts'
import type { User } from '../../identity/users/user.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { type AdminOptions, collectAdmin } from '../collect-admin.ts'
import { passwordPolicy, readSettings } from '../settings.ts'
import { print, printJson, symbols } from '../terminal.ts'
import { withMigratedDatabase } from './with-database.ts'

export interface AdminCreateCommand extends AdminOptions {
  json?: true
  role: 'admin' | 'platform'
}

export async function createAdminCommand(options: AdminCreateCommand): Promise<void> {
  const config = readSettings(options)
  const policy = passwordPolicy(config)
  const input = await collectAdmin(options, policy)
  const user = await withMigratedDatabase(config, (db) =>
    createAdmin(db, input, options.role, policy).catch(explainTaken(input)),
  )
  if (options.json) return printJson({ ...user, role: options.role })
  print(`${symbols.ok} ${describe(user, options.role)}\n`)
  print(`  Log in with POST ${config.public_url}/v1/auth/login\n`)
}

function explainTaken({ email }: AdminInput) {
  return (error: unknown): never => {
    if (!(error instanceof Refusal) || error.code !== 'email_exists') throw error
    throw new Refusal(
      'email_exists',
      `A user with the email ${email} exists and cannot be promoted. Use another email.`,
    )
  }
}

function describe({ email, id }: User, role: 'admin' | 'platform'): string {
  return `Created ${role === 'admin' ? 'admin' : 'platform user'} ${email} (${id}).`
}
