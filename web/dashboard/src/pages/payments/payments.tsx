import { getRouteApi } from '@tanstack/react-router'
import { useAccountSettings } from '../../api/account-settings.ts'
import { payment_statuses } from '../../api/api-types.ts'
import { useAccountId, useCount, useList, useUser } from '../../api/use-florin.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { ChoiceFilter, DayRangeFilter, FilterBar } from '../../parts/filters.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { isFiltered } from '../../parts/search-params.ts'
import { TextFilter } from '../../parts/text-filter.tsx'
import { longTime } from '../../parts/time-text.ts'
import { useDayBounds } from '../../parts/use-day-bounds.tsx'
import { useColumnsWithAccount } from '../accounts/account-name.tsx'
import { FirstPaymentRequest } from './first-payment-request.tsx'
import { foldedPayment, nameOfPayment, paymentColumns } from './payment-columns.tsx'
import { RequestPayment } from './request-payment.tsx'

const route = getRouteApi('/shell/payments')

export function PaymentsPage() {
  const { search, status, date_from, date_to, ...times } = route.useSearch()
  const { updated_from, expires_from, expires_to } = times
  const { bounds, isReady, failure } = useDayBounds(date_from, date_to)
  const filters = { search, status, updated_from, expires_from, expires_to, ...bounds }
  const columns = useColumnsWithAccount(paymentColumns)
  const total = useCount(
    ['payments', filters],
    (florin, signal) => florin.payments.count(filters, { signal }),
    { enabled: isReady },
  )
  const query = useList(
    ['payments', filters],
    (florin, page, signal) => florin.payments.list({ ...filters, ...page }, { signal }),
    { enabled: isReady },
  )
  return (
    <>
      <PageHeader title="Payment requests" actions={<NewRequest />} />
      <PaymentFilters />
      <Card>
        {failure || (
          <DataList
            label="Payment requests"
            query={query}
            columns={columns}
            folded={foldedPayment}
            name={nameOfPayment}
            total={total}
            link={(row) => ({ to: '/payments/$id', params: { id: row.id } })}
            empty={isFiltered(filters) ? nothing_matches : none_yet}
          />
        )}
      </Card>
    </>
  )
}

/** The URL holds whether the form is open, so other pages can link to it. */
function NewRequest() {
  const account = useAccountId()
  const may = useUser().may.includes('create_payment')
  const { create, like } = route.useSearch()
  const navigate = route.useNavigate()
  const show = (open: boolean) =>
    navigate({
      search: (before) => ({
        ...before,
        create: open ? ('yes' as const) : undefined,
        like: undefined,
      }),
      replace: true,
    })
  if (!may || account === undefined) return null
  return (
    <>
      <Button tone="primary" onClick={() => show(true)}>
        Request a payment
      </Button>
      {/* The key discards a draft when the account changes: it belongs to the other account. */}
      <RequestPayment
        key={account}
        account_id={account}
        like={like}
        open={create === 'yes'}
        onOpenChange={show}
      />
    </>
  )
}

const nothing_matches = {
  title: 'No payment requests match these filters',
  text: 'Clear a filter or choose other dates.',
}

const none_yet = {
  title: 'No payment requests yet',
  text: 'Request a payment from a customer and track it here.',
  action: <FirstPaymentRequest />,
}

function PaymentFilters() {
  const { search, status, date_from, date_to, ...others } = route.useSearch()
  const { updated_from, expires_from, expires_to } = others
  const settings = useAccountSettings()
  const created = { date_from, date_to }
  const filters = { search, status, ...created, updated_from, expires_from, expires_to }
  const navigate = route.useNavigate()
  const set = (changed: Partial<typeof filters>) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })
  const dates = { date_from: undefined, date_to: undefined, updated_from: undefined }
  const expiry = { expires_from: undefined, expires_to: undefined }
  const clear = () => set({ search: undefined, status: undefined, ...dates, ...expiry })
  return (
    <FilterBar clear={isFiltered(filters) ? clear : undefined}>
      <TextFilter
        label="Customer or reference"
        value={search}
        placeholder="ann@"
        onChange={(text) => set({ search: text })}
      />
      <ChoiceFilter
        label="Status"
        value={status}
        values={payment_statuses}
        onChange={(status) => set({ status })}
      />
      <DayRangeFilter
        from={date_from}
        to={date_to}
        onFrom={(date_from) => set({ date_from })}
        onTo={(date_to) => set({ date_to })}
      />
      {updated_from && (
        <p className="flex min-h-9 items-center text-muted">
          Updated since {longTime(updated_from, settings)}
        </p>
      )}
      {expires_to && (
        <p className="flex min-h-9 items-center text-muted">
          Expires by {longTime(expires_to, settings)}
        </p>
      )}
    </FilterBar>
  )
}
