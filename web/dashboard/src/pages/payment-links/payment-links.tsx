import { getRouteApi } from '@tanstack/react-router'
import type { PaymentLink } from '../../api/api-types.ts'
import { useAccountId, useList, useUser } from '../../api/use-florin.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { ChooseAccount } from '../../parts/choose-account.tsx'
import { CurlLine } from '../../parts/curl-line.tsx'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { TruncatedText } from '../../parts/truncated-text.tsx'
import { When } from '../../parts/when.tsx'
import { CreateLink } from './create-link.tsx'
import { LinkAmount, LinkStatus, usesText } from './link-text.tsx'

const route = getRouteApi('/shell/payment-links')

const columns: Column<PaymentLink>[] = [
  { name: 'Title', cell: (row) => <TruncatedText text={row.title} /> },
  { name: 'Status', cell: (row) => <LinkStatus of={row} /> },
  { name: 'Amount', from: 'md', cell: (row) => <LinkAmount of={row} /> },
  { name: 'Uses', from: 'md', cell: usesText },
  {
    name: 'Created',
    time: true,
    from: 'md',
    align: 'right',
    cell: (row) => (
      <span className="text-muted">
        <When at={row.created_at} />
      </span>
    ),
  },
]

export function PaymentLinksPage() {
  const account = useAccountId()
  if (account !== undefined) return <PaymentLinks account_id={account} />
  return <ChooseAccount title="Payment links" what="Payment links" />
}

function PaymentLinks({ account_id }: { account_id: string }) {
  const query = useList(['payment links'], (florin, page, signal) =>
    florin.paymentLinks.list(page, { signal }),
  )
  return (
    <>
      <PageHeader title="Payment links" actions={<NewLink account_id={account_id} />} />
      <Card>
        <DataList
          label="Payment links"
          query={query}
          columns={columns}
          folded={(row) => (
            <>
              <LinkAmount of={row} /> · {usesText(row)}
            </>
          )}
          name={(row) => row.title}
          link={(row) => ({ to: '/payment-links/$id', params: { id: row.id } })}
          empty={none_yet}
        />
      </Card>
    </>
  )
}

/** The URL holds whether the form is open, so other pages can link to it. */
function NewLink({ account_id }: { account_id: string }) {
  const { create } = route.useSearch()
  const navigate = route.useNavigate()
  const may = useUser().may.includes('manage_payment_links')
  const show = (open: boolean) =>
    navigate({ search: { create: open ? ('yes' as const) : undefined }, replace: true })
  if (!may) return null
  return (
    <>
      <Button tone="primary" onClick={() => show(true)}>
        Create payment link
      </Button>
      <CreateLink key={account_id} open={create === 'yes'} onOpenChange={show} />
    </>
  )
}

const none_yet = {
  title: 'No payment links yet',
  text: 'Share one link with many payers: a class, a ticket, a donation. Or use the API:',
  action: <CurlLine path="/v1/payment_links" body={{ title: 'Pottery class', amount: 7500 }} />,
}
