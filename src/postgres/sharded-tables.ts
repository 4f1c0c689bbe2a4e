// Where Citus stores each table. This is the only list of tables: `florin distribute` applies it,
// and test/postgres/sharded-tables.test.ts fails if a migration adds a table that it lacks.

/**
 * Rows of one account are in one shard, so a change within an account is a transaction of one
 * server. The value is the column that holds the account id, or the id of the caller whose
 * responses are stored.
 */
const by_account: Record<string, string> = {
  accounts: 'id',
  idempotency_keys: 'scope_id',
}

const account_tables = [
  'account_branding',
  'account_closings',
  'account_logos',
  'bank_details',
  'charges',
  'checkouts',
  'commit_evidence',
  'customers',
  'disputes',
  'documents',
  'email_changes',
  'emails',
  'events',
  'exported_refunds',
  'invitations',
  'link_uses',
  'payment_attempts',
  'payment_links',
  'payment_requests',
  'payment_returns',
  'payout_settings',
  'payouts',
  'postings',
  'provider_refunds',
  'refund_totals',
  'request_logs',
  'return_origins',
  'reusable_links',
  'subscription_periods',
  'subscriptions',
  'transactions',
  'transfer_fees',
  'transfers',
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_endpoints',
]

/** The first table to be distributed. The others follow its shards. */
export const first_table = { name: 'balances', column: 'account_id' }

export const other_tables: { name: string; column: string }[] = [
  ...Object.entries(by_account).map(([name, column]) => ({ name, column })),
  ...account_tables.map((name) => ({ name, column: 'account_id' })),
]

/** Small and hardly ever written: every server has a copy, so statements of a shard can join it. */
export const reference_tables = ['clock', 'email_delivery', 'instance', 'notification_settings']

/**
 * One copy, on the coordinator: rows that belong to users or to the service, or that are found by a
 * secret. They must be known to Citus. Otherwise a transaction that writes one of them and a shard
 * commits the shard first, and a crash in between loses the other half.
 */
export const coordinator_tables = [
  'api_keys',
  'audit_log',
  'bank_accounts',
  'bank_column_maps',
  'bank_entries',
  'bank_statements',
  'balance_entries',
  'balance_imports',
  'dashboard_sessions',
  'email_claims',
  'ended_sessions',
  'inbox_counts',
  'known_devices',
  'leases',
  'link_slugs',
  'list_counts',
  'login_addresses',
  'login_failures',
  'oidc_attempts',
  'one_time_links',
  'password_reset_requests',
  'payout_exports',
  'provider_events',
  'provider_states',
  'reconciliations',
  'recovery_codes',
  'revoked_grantors',
  'sessions',
  'settlements',
  'setup_links',
  'tokens',
  'user_factors',
  'user_identities',
  'users',
  'webauthn_challenges',
]
