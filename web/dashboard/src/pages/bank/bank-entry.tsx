import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { BankEntry } from '../../api/api-types.ts'
import { useApiQuery } from '../../api/use-florin.ts'
import { LoadingPage } from '../../frame/fallback-pages.tsx'
import { pageOfId } from '../../frame/navigation.ts'
import { AccountNumber, accountNumberText } from '../../parts/account-number.tsx'
import { BackLink } from '../../parts/back-link.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { DeveloperDetails } from '../../parts/developer-details.tsx'
import { Failure } from '../../parts/failure.tsx'
import { IdLink } from '../../parts/id-link.tsx'
import { Money } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { Status } from '../../parts/status.tsx'
import { Day } from '../../parts/when.tsx'
import { Decisions, MatchOther, MatchOutgoing, ProposalLine } from './entry-decisions.tsx'
import { isIncoming, reasonText, signedAmount } from './entry-text.ts'
import { SettlementProposals } from './settlement-proposals.tsx'

const route = getRouteApi('/shell/bank/$id')

export function BankEntryPage() {
  const { id } = route.useParams()
  const entry = useApiQuery(['bank entries', id], (florin, signal) =>
    florin.bankEntries.get(id, { signal }),
  )
  if (entry.isPending) return <LoadingPage />
  if (entry.isLoadingError) {
    return (
      <>
        <PageHeader title="Bank entry" />
        <Failure error={entry.error} retry={() => entry.refetch()} />
      </>
    )
  }
  return <EntryView key={id} entry={entry.data} />
}

function EntryView({ entry }: { entry: BankEntry }) {
  const reason = reasonText(entry)
  return (
    <>
      <BackLink to="/bank">Bank</BackLink>
      <PageHeader title={`Bank entry ${entry.id}`} actions={<Decisions entry={entry} />}>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-[32px] leading-10 max-sm:text-xl">
            <Money amount={signedAmount(entry)} currency={entry.currency} code />
          </span>
          <Status of={entry.status} />
        </span>
      </PageHeader>
      {reason && (
        <p role="status" className="mb-4 rounded-lg bg-amber-soft p-3 text-amber">
          {reason}. {isIncoming(entry) ? 'Match it, or ignore it.' : ''}
        </p>
      )}
      <div
        className="grid grid-cols-1 items-start gap-4
 lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]"
      >
        <div className="flex min-w-0 flex-col gap-4">
          <Proposals entry={entry} />
          {entry.status === 'open' && <SettlementProposals entry={entry} />}
          {entry.status === 'open' && <MatchOutgoing entry={entry} />}
          <Card title="Transfer">
            <Facts facts={transferFacts(entry)} />
          </Card>
        </div>
        <Card title="Details">
          <Facts facts={factsOf(entry)} />
        </Card>
        <DeveloperDetails value={entry} label="Entry as JSON" />
      </div>
    </>
  )
}

function Proposals({ entry }: { entry: BankEntry }) {
  const { status, proposals } = entry
  if (status !== 'open' || !(isIncoming(entry) || proposals.length > 0)) return null
  return (
    <Card title="Proposals" action={<MatchOther entry={entry} />}>
      {proposals.length === 0 ? (
        <p className="text-muted">No payment request has this reference, amount or name.</p>
      ) : (
        <ul className="grid gap-3">
          {proposals.map((proposal) => (
            <ProposalLine key={proposal.payment_id} entry={entry} proposal={proposal} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Settles({ id }: { id: string }) {
  const to = pageOfId(id)
  return to === undefined ? <ShortId id={id} copy /> : <IdLink id={id} to={to as '/payments/$id'} />
}

function Wrapped({ children }: { children: string }) {
  return <span className="figures wrap-anywhere">{children}</span>
}

type Fact = [string, ReactNode]

/** What the bank has written, without the fields that are empty. */
function transferFacts(entry: BankEntry): Fact[] {
  const { counterparty_account } = entry
  const number = counterparty_account === null ? null : accountNumberText(counterparty_account)
  const known: [string, string | null][] = [
    [entry.direction === 'credit' ? 'From' : 'To', entry.counterparty_name],
    ['Their account', number],
    ['Text', entry.remittance],
    ['Creditor reference', entry.creditor_reference],
    ['End-to-end ID', entry.end_to_end_id],
    ['Bank reference', entry.bank_reference],
    ['Return reason', entry.return_reason],
  ]
  return known.flatMap(([name, value]): Fact[] =>
    value === null ? [] : [[name, <Wrapped key={name}>{value}</Wrapped>]],
  )
}

function factsOf(entry: BankEntry): Fact[] {
  const { settles, booked_on, value_on, note } = entry
  const facts: (Fact | false)[] = [
    ['ID', <ShortId key="id" id={entry.id} copy />],
    ['Bank account', <AccountNumber key="account" of={entry.bank_account} />],
    settles !== null && ['Settles', <Settles key="settles" id={settles} />],
    booked_on !== null && ['Booked', <Day key="booked" on={booked_on} />],
    value_on !== null && ['Value date', <Day key="value" on={value_on} />],
    note !== null && ['Note', note],
  ]
  return facts.filter((fact) => fact !== false)
}
