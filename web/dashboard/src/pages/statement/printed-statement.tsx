// The print layout of a statement: account, period, opening balance, all lines from the oldest on,
// closing balance. Hidden on screen.

import { useAccount, useAccountSettings } from '../../api/account-settings.ts'
import { useNow } from '../../api/clock.ts'
import { useMode } from '../../api/use-florin.ts'
import { Logo } from '../../frame/logo.tsx'
import { Money } from '../../parts/money.tsx'
import { dayLabel, longTime } from '../../parts/time-text.ts'
import { refundedBy } from '../transactions/refunded-by.ts'
import { printed_lines_max } from './statement-actions.tsx'
import { describeLine, type ListedLine } from './statement-columns.tsx'
import type { StatementPeriod } from './statement-period.ts'

interface PrintedStatementProps {
  period: StatementPeriod
  currency: string
  /** Newest first. Undefined while loading and after a load error. */
  lines: ListedLine[] | undefined
  /** False while older lines of the period are not loaded. */
  complete: boolean
  /** The balance before the period. Undefined while loading and after a load error. */
  opening: number | undefined
}

export function PrintedStatement({ lines, opening, ...rest }: PrintedStatementProps) {
  const { period, currency, complete } = rest
  return (
    <div className="hidden text-[10pt] leading-snug print:block">
      <PrintHeader period={period} currency={currency} />
      {lines === undefined ? (
        <Missing what="transactions" />
      ) : (
        <>
          {!complete && (
            <p className="mb-3 font-semibold">
              Only the latest {lines.length} transactions are shown. {howToGetAll(lines.length)}
            </p>
          )}
          <Summary opening={opening} lines={lines} currency={currency} complete={complete} />
          <PrintLines lines={lines} currency={currency} />
        </>
      )}
    </div>
  )
}

function howToGetAll(count: number): string {
  return count < printed_lines_max
    ? 'Use Print on the page to print all of them, or download the CSV.'
    : 'The CSV contains all of them.'
}

/** Users can print before the data is loaded; a missing list must not look like an empty one. */
function Missing({ what }: { what: string }) {
  return (
    <p className="mb-3 font-semibold">The {what} are not loaded. Reload the page, then print it.</p>
  )
}

function PrintLines({ lines, currency }: { lines: ListedLine[]; currency: string }) {
  return (
    <>
      <table className="w-full border-collapse">
        <thead>
          <tr className="border-b border-ink text-left text-[9pt]">
            <th className="py-1 pr-3 font-semibold">Date and time</th>
            <th className="py-1 pr-3 font-semibold">Activity</th>
            <th className="py-1 pr-3 font-semibold">Reference</th>
            <th className="py-1 pr-3 text-right font-semibold">Amount</th>
            <th className="py-1 text-right font-semibold">Balance</th>
          </tr>
        </thead>
        <tbody>
          {lines.toReversed().map((line) => (
            <PrintLine key={line.id} line={line} currency={currency} />
          ))}
        </tbody>
      </table>
      {lines.length === 0 && <p className="py-2">No activity in this period.</p>}
      <p className="mt-4 text-[9pt]">
        Each amount is a change to the available balance. Each balance is the available balance
        after the change.
      </p>
    </>
  )
}

function PrintHeader({ period, currency }: { period: StatementPeriod; currency: string }) {
  const { data: account } = useAccount()
  const { timezone, locale } = useAccountSettings()
  const sandbox = useMode() === 'sandbox'
  const now = useNow('business')
  return (
    <div className="mb-5 flex items-start justify-between gap-6 border-b border-ink pb-4">
      <div>
        <h1 className="text-[16pt] leading-tight font-bold">Account statement</h1>
        <p className="mt-1">
          {dayLabel(period.first, locale, true)} to {dayLabel(period.last, locale, true)}
        </p>
        <p className="mt-3 font-semibold">{account?.name}</p>
        <p>{account?.email}</p>
        <p className="font-mono text-[9pt]">{account?.id}</p>
      </div>
      <div className="text-right">
        <div className="flex items-center justify-end gap-2 font-bold">
          <Logo size={22} />
          Florin
        </div>
        <p className="mt-2">Amounts in {currency}</p>
        <p>Times in {timezone}</p>
        <p>Printed {longTime(now, { timezone, locale })}</p>
        {sandbox && <p className="mt-1 font-bold">Sandbox: no real money</p>}
      </div>
    </div>
  )
}

interface SummaryProps {
  /** The balance before the period, used when there are no lines. */
  opening: number | undefined
  lines: ListedLine[]
  currency: string
  /** If false, all figures except the closing balance cover only the given lines. */
  complete: boolean
}

function Summary({ lines, currency, complete, ...before }: SummaryProps) {
  // Each line has the balance after it, so the lines give both opening and closing balance.
  const oldest = lines.at(-1)
  const opening = oldest ? oldest.available_after - oldest.amount : before.opening
  if (opening === undefined) return <Missing what="balances" />
  const closing = lines[0]?.available_after ?? opening
  const sum = (sign: 1 | -1) =>
    lines.reduce((total, { amount }) => (amount * sign > 0 ? total + amount : total), 0)
  const figures: [string, number][] = [
    [complete ? 'Opening balance' : 'Balance before', opening],
    [complete ? 'In' : 'In (shown)', sum(1)],
    [complete ? 'Out' : 'Out (shown)', sum(-1)],
    ['Closing balance', closing],
  ]
  return (
    <dl className="mb-5 grid grid-cols-4 gap-4">
      {figures.map(([name, amount]) => (
        <div key={name}>
          <dt className="text-[9pt]">{name}</dt>
          <dd className="text-[12pt] font-bold">
            <Money amount={amount} currency={currency} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function PrintLine({ line, currency }: { line: ListedLine; currency: string }) {
  const settings = useAccountSettings()
  return (
    <tr className="break-inside-avoid border-b border-line align-top">
      <td className="figures py-1 pr-3 whitespace-nowrap">{longTime(line.created_at, settings)}</td>
      <td className="py-1 pr-3">{describeLine(line)}</td>
      <td className="py-1 pr-3">
        <span className="wrap-anywhere">
          {refundedBy(line) && 'Refund for '}
          {line.reference}
        </span>
        <div className="font-mono text-[7.5pt] text-muted">{line.transaction_id}</div>
      </td>
      <td className="py-1 pr-3 text-right">
        <Money amount={line.amount} currency={currency} />
      </td>
      <td className="py-1 text-right">
        <Money amount={line.available_after} currency={currency} />
      </td>
    </tr>
  )
}
