import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Processor } from '../../api/api-types.ts'
import { useApiQuery } from '../../api/use-florin.ts'
import { Card, Facts } from '../../parts/card.tsx'
import { type Column, EmptyState, Table } from '../../parts/data-list.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Money } from '../../parts/money.tsx'
import { reasonOf } from '../../parts/reason-of.ts'
import { ShortId } from '../../parts/short-id.tsx'
import { Status } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'
import { providerName } from '../transactions/provider-text.ts'
import { countText } from './health-text.ts'

type Provider = Processor['providers'][number]

export function useProcessor(options: { refresh_ms: number }): UseQueryResult<Processor> {
  return useApiQuery(['processor'], (florin, signal) => florin.processor.get({ signal }), options)
}

/** The state of the payment providers, and money that belongs to no payment request. */
export function ProvidersPanel({ processor }: { processor: UseQueryResult<Processor> }) {
  const { data, isError, error, refetch } = processor
  return (
    <Card title="Payment provider" className="mb-4">
      {data !== undefined ? (
        <>
          {isError && (
            <p role="alert" className="mb-3 text-red">
              This is outdated: the last refresh failed. {reasonOf(error)}
            </p>
          )}
          <ProcessorView processor={data} />
        </>
      ) : isError ? (
        <Failure error={error} retry={() => refetch()} />
      ) : (
        <div aria-busy="true" className="skeleton h-44 opacity-40" />
      )}
    </Card>
  )
}

function ProcessorView({ processor }: { processor: Processor }) {
  const { providers } = processor
  if (providers.length === 0) return <EmptyState {...emptyOf(processor)} />
  return (
    <>
      <div className="grid grid-cols-1 gap-x-10 gap-y-6 lg:grid-cols-2">
        {providers.map((provider) => (
          <ProviderView key={provider.name} provider={provider} />
        ))}
        <section aria-label="Settings">
          <h3 className="flex min-h-7 items-center font-semibold">Settings</h3>
          <Facts facts={sharedFacts(processor)} />
        </section>
      </div>
      {providers.map((provider) => (
        <Unmatched key={provider.name} provider={provider} />
      ))}
    </>
  )
}

function emptyOf({ mode, transfers }: Processor): { title: string; text: string } {
  if (transfers || mode === 'live') {
    return {
      title: 'No payment provider',
      text:
        'Customers pay by transfer, and an operator settles their payments. To take cards, set ' +
        'FLORIN_PROCESSOR to stripe or mollie.',
    }
  }
  return {
    title: 'Sandbox cards',
    text:
      'Test cards simulate payments, and no money moves. To test with a provider, set ' +
      'FLORIN_PROCESSOR to stripe or mollie and use its test key.',
  }
}

function ProviderView({ provider }: { provider: Provider }) {
  const { name, is_live, state, last_error } = provider
  return (
    <section aria-label={providerName(name)}>
      <h3 className="flex min-h-7 flex-wrap items-center gap-2 font-semibold">
        {providerName(name)}
        <ProviderStatus of={provider} />
        {!is_live && <Status of="paused" label="Test key" />}
      </h3>
      <Facts facts={providerFacts(provider)} />
      {last_error !== null && (
        <p
          className={`mt-1 rounded-lg p-3 text-xs wrap-anywhere
 ${state === 'failing' ? 'bg-red-soft text-red' : 'bg-canvas text-muted'}`}
        >
          {last_error}
        </p>
      )}
    </section>
  )
}

/** Until the first reconciliation it is not known whether the provider works. */
function ProviderStatus({ of: { state, last_sweep_at } }: { of: Provider }) {
  if (state === 'failing') return <Status of="failed" label="Failing" />
  if (last_sweep_at === null) return <Status of="pending" label="Not contacted yet" />
  return <Status of="active" label="Working" />
}

function providerFacts(provider: Provider): [string, ReactNode][] {
  const { last_webhook_at, last_sweep_at, backlog, oldest_backlog_at, last_error } = provider
  return [
    ['Last webhook', timeOr('None received yet', last_webhook_at)],
    ['Last reconciliation', timeOr('Not run yet', last_sweep_at)],
    [
      'Unprocessed messages',
      <span key="backlog">
        {backlog >= 1_000 ? '1,000 or more' : countText(backlog)}
        {oldest_backlog_at !== null && (
          <span className="text-muted">
            , oldest <When at={oldest_backlog_at} real />
          </span>
        )}
      </span>,
    ],
    ['Last error', timeOr('None', last_error === null ? null : provider.last_error_at)],
  ]
}

function timeOr(text: string, at: string | null): ReactNode {
  return at === null ? <span className="text-muted">{text}</span> : <When at={at} real />
}

function sharedFacts({
  transfers,
  late_payments,
  pending_refunds,
}: Processor): [string, ReactNode][] {
  return [
    ['Transfers', transfers ? 'Accepted, settled by an operator' : 'Not accepted'],
    ['Late payments', late_payments === 'refund' ? 'Refunded' : 'Kept'],
    ['Refunds in progress', countText(pending_refunds)],
  ]
}

type UnmatchedRow = Provider['unmatched']['data'][number] & { id: string }

const unmatched_columns: Column<UnmatchedRow>[] = [
  {
    name: 'Amount',
    cell: ({ amount, currency }) => (
      <>
        <Money amount={amount} currency={currency} />{' '}
        <span className="text-xs text-muted">{currency}</span>
      </>
    ),
  },
  { name: 'Payment', cell: (row) => <ShortId id={row.provider_id} copy /> },
  { name: 'Event', from: 'md', cell: (row) => <ShortId id={row.event_id} copy /> },
  {
    name: 'Received',
    time: true,
    from: 'md',
    align: 'right',
    cell: (row) => (
      <span className="text-muted">
        <When at={row.received_at} real />
      </span>
    ),
  },
]

function Unmatched({ provider: { name, unmatched } }: { provider: Provider }) {
  const { count, data } = unmatched
  if (count === 0) return null
  const rows = data.map((row) => ({ ...row, id: row.event_id }))
  const label = `Unmatched payments at ${providerName(name)}`
  return (
    <section aria-label={label} className="mt-6">
      <h3 className="font-semibold">
        {label} <span className="figures font-normal text-muted">({countText(count)})</span>
      </h3>
      <p className="mb-2 max-w-2xl text-muted">
        They belong to no payment request of this server, and nothing was recorded.{' '}
        {`Refund them at ${providerName(name)}.`}
        {count > data.length && ` The newest ${data.length} are listed.`}
      </p>
      <Table
        label={label}
        columns={unmatched_columns}
        rows={rows}
        folded={(row) => <When at={row.received_at} real />}
      />
    </section>
  )
}
