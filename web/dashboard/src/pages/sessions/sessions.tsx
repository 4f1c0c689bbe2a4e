import type { LoginSession } from '../../api/api-types.ts'
import { session } from '../../api/session.ts'
import { useFlorin, useList, useRefresh } from '../../api/use-florin.ts'
import { useGoToLogin } from '../../frame/use-go-to-login.ts'
import { Card } from '../../parts/card.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { showToast } from '../../parts/toast.tsx'
import { When } from '../../parts/when.tsx'

const columns: Column<LoginSession>[] = [
  {
    name: 'Device',
    cell: (row) => (
      <span className="font-medium">
        {deviceOf(row.user_agent)}
        {row.current && (
          <span className="ml-2 rounded-full bg-brand-soft px-2 py-0.5 text-xs text-brand">
            This session
          </span>
        )}
      </span>
    ),
  },
  { name: 'IP address', from: 'md', cell: (row) => <span className="figures">{row.address}</span> },
  { name: 'Logged in', time: true, from: 'md', cell: (row) => <When at={row.created_at} real /> },
  { name: 'Last refreshed', from: 'lg', cell: (row) => <When at={row.refreshed_at} real /> },
  { name: 'End', align: 'right', cell: (row) => <EndSession of={row} /> },
]

export function SessionsPage() {
  const query = useList(['sessions'], (florin, page, signal) =>
    florin.sessions.list(page, { signal }),
  )
  return (
    <>
      <PageHeader title="Your sessions" actions={<LogOutEverywhere />} />
      <Card>
        <DataList
          label="Your sessions"
          query={query}
          columns={columns}
          folded={(row) => (
            <>
              <When at={row.created_at} real /> · {row.address}
            </>
          )}
          empty={{ title: 'No sessions', text: 'Log in again to see your session.' }}
        />
      </Card>
    </>
  )
}

function EndSession({ of: row }: { of: LoginSession }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  if (row.current) return null
  const end = async () => {
    await florin.sessions.end({ session_id: row.id })
    await refresh()
    showToast('Session ended', 'All of its tokens have been revoked.')
  }
  return (
    <ConfirmDialog trigger="End" title="End this session?" action="End session" onConfirm={end}>
      {deviceOf(row.user_agent)} at {row.address} is logged out immediately.
    </ConfirmDialog>
  )
}

function LogOutEverywhere() {
  const leave = useGoToLogin()
  const logOut = async () => {
    await session.logOut({ everywhere: true })
    await leave()
  }
  return (
    <ConfirmDialog
      trigger="Log out everywhere"
      tone="danger"
      title="Log out everywhere?"
      action="Log out everywhere"
      onConfirm={logOut}
    >
      All your sessions end, including this one. API keys keep working.
    </ConfirmDialog>
  )
}

const browsers: [RegExp, string][] = [
  [/edg\//i, 'Edge'],
  [/firefox\//i, 'Firefox'],
  [/chrom(e|ium)\//i, 'Chrome'],
  [/safari\//i, 'Safari'],
  [/curl\//i, 'curl'],
]

const systems: [RegExp, string][] = [
  [/iphone|ipad/i, 'iOS'],
  [/android/i, 'Android'],
  [/mac os/i, 'macOS'],
  [/windows/i, 'Windows'],
  [/linux/i, 'Linux'],
]

function deviceOf(user_agent: string | null): string {
  if (user_agent === null) return 'Unknown device'
  const browser = browsers.find(([pattern]) => pattern.test(user_agent))?.[1]
  const system = systems.find(([pattern]) => pattern.test(user_agent))?.[1]
  if (browser === undefined) return user_agent.slice(0, 40)
  return system === undefined ? browser : `${browser} on ${system}`
}
