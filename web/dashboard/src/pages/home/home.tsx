import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useAccount } from '../../api/account-settings.ts'
import { useAccountId, useApiQuery, useUser } from '../../api/use-florin.ts'
import { Card } from '../../parts/card.tsx'
import { CurlLine } from '../../parts/curl-line.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Segments } from '../../parts/segments.tsx'
import { RequestPaymentLink } from '../payments/request-payment-link.tsx'
import { NeedsAttention } from './home-attention.tsx'
import { Balances } from './home-balances.tsx'
import { LatestTransactions } from './home-latest.tsx'
import { VolumeCard } from './home-volume.tsx'
import { periodLabels, periods, usual_period } from './periods.ts'

// Only admins and platforms need it, and it has a form.
const AllAccounts = lazy(() =>
  import('./all-accounts.tsx').then(({ AllAccounts }) => ({ default: AllAccounts })),
)

const route = getRouteApi('/shell/')

export function HomePage() {
  const account = useAccountId()
  const { may } = useUser()
  if (account !== undefined) return <AccountHome />
  if (may.includes('list_accounts')) {
    return (
      <Suspense
        fallback={
          <>
            <PageHeader title="Home" />
            <div aria-busy="true" className="skeleton h-64 rounded-xl opacity-40" />
          </>
        }
      >
        <AllAccounts />
      </Suspense>
    )
  }
  return (
    <>
      <PageHeader title="Home" />
      <NoAccount />
    </>
  )
}

function AccountHome() {
  const { period = usual_period } = route.useSearch()
  const { isLoading } = useAccount()
  const attention = useApiQuery(['attention'], (florin, signal) =>
    florin.account.getAttention({ signal }),
  )
  const get_started = useGetStarted()
  // The server's time: the sandbox clock may be ahead of real time.
  const now = attention.data?.at ?? (attention.isError ? new Date().toISOString() : undefined)
  return (
    <>
      <PageHeader
        title="Home"
        actions={
          <>
            <PeriodChoice />
            <RequestPaymentLink />
          </>
        }
      />
      <Balances />
      {get_started.data && <get_started.data.GetStarted />}
      {/* Loads immediately, but stays hidden until it is known whether Get started is above it. */}
      <div className={get_started.isPending ? 'invisible' : ''}>
        <div className="mb-4 grid grid-cols-1 gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
          <VolumeCard period={period} now={isLoading ? undefined : now} />
          <NeedsAttention attention={attention} />
        </div>
        <LatestTransactions />
      </div>
    </>
  )
}

function PeriodChoice() {
  const { period = usual_period } = route.useSearch()
  return (
    <Segments
      label="Period"
      segments={periods.map((one) => ({
        name: periodLabels[one].name,
        chosen: one === period,
        link: {
          to: '/',
          search: ((before: object) => ({
            ...before,
            period: one === usual_period ? undefined : one,
          })) as never,
        },
      }))}
    />
  )
}

function NoAccount() {
  const { email } = useUser()
  const body = { name: 'Acme Ltd', email, password: '…', type: 'business' }
  return (
    <Card>
      <div className="flex flex-col items-center gap-3 px-4 py-12 text-center">
        <p className="text-base font-semibold">You don’t have an account yet</p>
        <p className="max-w-md text-muted">
          An account holds your balance and payments. Create one with the API. Use your own email
          and password, and an access token from POST /v1/auth/login:
        </p>
        <CurlLine path="/v1/accounts" body={body} token="FLORIN_TOKEN" open />
      </div>
    </Card>
  )
}

/**
 * Get started is hidden once the account has a transaction. Its code is loaded before the result is
 * known to the page, so that nothing below it moves.
 */
function useGetStarted() {
  return useApiQuery(['transactions', 'any'], async (florin, signal) => {
    const { data } = await florin.transactions.list({ limit: 1 }, { signal })
    return data.length > 0 ? null : await import('./get-started.tsx')
  })
}
