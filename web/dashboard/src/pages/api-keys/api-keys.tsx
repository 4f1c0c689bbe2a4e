import { getRouteApi } from '@tanstack/react-router'
import type { ApiKey } from '../../api/api-types.ts'
import type { KeyKind } from '../../api/key-scopes.ts'
import { useAccountId, useFlorin, useList, useRefresh, useUser } from '../../api/use-florin.ts'
import { Card } from '../../parts/card.tsx'
import { ChooseAccount } from '../../parts/choose-account.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { CurlLine } from '../../parts/curl-line.tsx'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Status } from '../../parts/status.tsx'
import { showToast } from '../../parts/toast.tsx'
import { TruncatedText } from '../../parts/truncated-text.tsx'
import { When } from '../../parts/when.tsx'
import { CreateApiKey } from './api-key-create.tsx'

const route = getRouteApi('/shell/api-keys')

const columns: Column<ApiKey>[] = [
  {
    name: 'Name',
    cell: (row) => (
      <span className={`font-semibold wrap-anywhere ${row.revoked_at ? 'text-muted' : ''}`}>
        {row.name}
      </span>
    ),
  },
  {
    name: 'Key',
    from: 'md',
    cell: (row) => (
      <span className="font-mono text-xs whitespace-nowrap text-muted">…{row.last4}</span>
    ),
  },
  {
    name: 'Scopes',
    from: 'md',
    cell: (row) => (
      <TruncatedText
        text={scopesText(row.scopes)}
        title={row.scopes.join(', ')}
        look="text-muted"
      />
    ),
  },
  { name: 'Last used', time: true, from: 'md', cell: (row) => <LastUse of={row} /> },
  {
    name: 'Created',
    time: true,
    from: 'lg',
    cell: (row) => (
      <span className="text-muted">
        <When at={row.created_at} />
      </span>
    ),
  },
  { name: 'Revoke', align: 'right', cell: (row) => <RevokeKey of={row} /> },
]

export function ApiKeysPage() {
  const account = useAccountId()
  const { may } = useUser()
  if (account !== undefined) return <ApiKeys key={account} kind="account" />
  if (may.includes('create_platform_key')) return <ApiKeys kind="platform" />
  return <ChooseAccount title="API keys" what="API keys" />
}

function ApiKeys({ kind }: { kind: KeyKind }) {
  const { create } = route.useSearch()
  const navigate = route.useNavigate()
  const forgetLink = (open: boolean) =>
    void (
      open || navigate({ search: (before) => ({ ...before, create: undefined }), replace: true })
    )
  const role = kind === 'platform' ? ({ role: 'platform' } as const) : {}
  const query = useList(['api keys', kind], (florin, page, signal) =>
    florin.apiKeys.list({ ...role, ...page }, { signal }),
  )
  return (
    <>
      <PageHeader
        title="API keys"
        actions={
          <CreateApiKey kind={kind} starts_open={create === 'yes'} onOpenChange={forgetLink} />
        }
      />
      {kind === 'platform' && (
        <p className="mb-4 rounded-xl border border-line bg-card p-4 text-muted">
          Platform keys can act on all accounts. Choose an account at the top of the page to see its
          own keys.
        </p>
      )}
      <Card>
        <DataList
          label="API keys"
          query={query}
          columns={columns}
          folded={(row) => (
            <>
              …{row.last4} · {scopesText(row.scopes)} · <LastUse of={row} />
            </>
          )}
          empty={noneYet(role)}
        />
      </Card>
    </>
  )
}

function LastUse({ of: { last_used_at } }: { of: ApiKey }) {
  if (last_used_at === null) return <span className="text-muted whitespace-nowrap">Never used</span>
  return <When at={last_used_at} />
}

function RevokeKey({ of: key }: { of: ApiKey }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  if (key.revoked_at !== null) return <Status of="revoked" />
  const revoke = async () => {
    await florin.apiKeys.revoke(key.id)
    await refresh()
    showToast('API key revoked', 'New requests with this key are rejected.')
  }
  return (
    <ConfirmDialog
      trigger="Revoke"
      title={`Revoke ${key.name}?`}
      action="Revoke key"
      onConfirm={revoke}
    >
      Requests with the key ending in {key.last4} are rejected immediately. This cannot be undone.
    </ConfirmDialog>
  )
}

function scopesText(scopes: string[]): string {
  return scopes.includes('*') ? 'All scopes' : scopes.join(', ')
}

const noneYet = (role: object) => ({
  title: 'No API keys yet',
  text: 'API keys let your server call Florin. Create one above.',
  action: (
    <CurlLine
      path="/v1/api_keys"
      body={{ name: 'Web shop', scopes: ['transactions:write'], ...role }}
      token="FLORIN_TOKEN"
    />
  ),
})
