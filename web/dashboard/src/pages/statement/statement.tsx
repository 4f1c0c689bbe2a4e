import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useAccount, useAccountSettings } from '../../api/account-settings.ts'
import { useAccountId, useList } from '../../api/use-florin.ts'
import { Card, Figure, Figures } from '../../parts/card.tsx'
import { ChooseAccount } from '../../parts/choose-account.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { Failure } from '../../parts/failure.tsx'
import { DayRangeFilter, FilterBar } from '../../parts/filters.tsx'
import { Money } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Segments } from '../../parts/segments.tsx'
import { FirstPayment } from '../transactions/first-payment.tsx'
import { ExportJournal } from './export-journal.tsx'
import { PrintedStatement } from './printed-statement.tsx'
import { DownloadStatement, PrintStatement } from './statement-actions.tsx'
import { useRunningBalance } from './statement-balance.ts'
import { FoldedLine, pageOfLine, statementColumns } from './statement-columns.tsx'
import { presetPeriods, type StatementPeriod, useStatementPeriod } from './statement-period.ts'

const BalanceChart = lazy(() => import('./balance-chart.tsx'))
const route = getRouteApi('/shell/statement')

export function StatementPage() {
  const account = useAccount()
  if (useAccountId() === undefined) return <ChooseAccount title="Statement" what="Statements" />
  // Amounts and days need the account's currency and time zone.
  if (account.isError && account.data === undefined) {
    return (
      <>
        <PageHeader title="Statement" />
        <Card>
          <Failure error={account.error} retry={() => account.refetch()} />
        </Card>
      </>
    )
  }
  return <AccountStatement />
}

function AccountStatement() {
  const period = useStatementPeriod()
  // The default is never shown: amounts load only after the account.
  const { currency = 'USD', timezone } = useAccountSettings()
  const balance = useRunningBalance(period, timezone)
  const query = useList(
    ['statement', period?.from, period?.to],
    async (florin, page, signal) => {
      const { from, to } = period!
      const { data, has_more } = await florin.account.listStatement(
        { from, to, ...page },
        { signal },
      )
      return { data: data.map((line) => ({ ...line, id: String(line.sequence) })), has_more }
    },
    { enabled: period !== undefined },
  )
  const lines = query.data?.pages.flatMap((page) => page.data)
  return (
    <>
      <div className="print:hidden">
        <PageHeader
          title="Statement"
          actions={
            <>
              <DownloadStatement period={period} />
              <ExportJournal period={period} />
              <PrintStatement query={query} />
            </>
          }
        />
        <PeriodFilters period={period} />
        <BalanceCards balance={balance} currency={currency} />
        <Card title="Activity">
          <DataList
            label="Activity"
            query={query}
            columns={statementColumns(currency)}
            link={({ transaction_id: id }) => ({ to: pageOfLine(id), params: { id } })}
            folded={(row) => <FoldedLine line={row} />}
            empty={empty}
          />
        </Card>
      </div>
      {period && (
        <PrintedStatement
          period={period}
          currency={currency}
          lines={lines}
          complete={query.hasNextPage === false}
          opening={balance.data?.opening}
        />
      )}
    </>
  )
}

const empty = {
  title: 'No activity in this period',
  text: 'Payments, credits and refunds that change the balance appear here. Create one:',
  action: <FirstPayment />,
}

function PeriodFilters({ period }: { period: StatementPeriod | undefined }) {
  const navigate = route.useNavigate()
  const set = (changed: { from?: string | undefined; to?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })
  // If From would be after To, the other day moves along, so the period is always valid.
  const setFrom = (from: string | undefined) =>
    set({ from, to: from && period && from > period.last ? from : period?.last })
  const setTo = (to: string | undefined) =>
    set({ to, from: to && period && to < period.first ? to : period?.first })
  return (
    <FilterBar>
      <DayRangeFilter from={period?.first} to={period?.last} onFrom={setFrom} onTo={setTo} />
      {period === undefined ? (
        // Same height as the segments, so nothing moves when they appear.
        <span className="skeleton h-9.5 w-96 max-w-full opacity-40 pointer-coarse:h-11.5" />
      ) : (
        <Segments
          label="Preset periods"
          segments={presetPeriods(period.today).map(({ name, from, to }) => ({
            name,
            chosen: period.first === from && period.last === to,
            link: {
              to: '/statement',
              search: ((before: object) => ({ ...before, from, to })) as never,
            },
          }))}
        />
      )}
    </FilterBar>
  )
}

interface BalanceCardsProps {
  balance: ReturnType<typeof useRunningBalance>
  currency: string
}

function BalanceCards({ balance, currency }: BalanceCardsProps) {
  if (balance.isError) {
    return (
      <Card className="mb-4">
        <Failure error={balance.error} retry={() => balance.refetch()} />
      </Card>
    )
  }
  const { data } = balance
  const waiting = <div className="skeleton size-full opacity-40" />
  const show = (amount: number | undefined) =>
    amount === undefined ? (
      <span className="skeleton inline-block h-6 w-32 align-middle" />
    ) : (
      <Money amount={amount} currency={currency} />
    )
  return (
    <>
      <Figures label="Balances">
        <Figure label="Closing balance" value={show(data?.closing)} />
        <Figure label="Opening balance" value={show(data?.opening)} />
        <Figure label="Change" value={show(data && data.closing - data.opening)} />
      </Figures>
      <Card title="Available balance" className="mb-4">
        {/* Hidden from screen readers: the table below has the same data. */}
        <div aria-hidden="true" className="h-52">
          {data === undefined ? (
            waiting
          ) : (
            <Suspense fallback={waiting}>
              <BalanceChart points={data.points} currency={currency} />
            </Suspense>
          )}
        </div>
      </Card>
    </>
  )
}
