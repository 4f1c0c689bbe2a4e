import type { ReactNode } from 'react'
import { type DeliveryStatus, delivery_statuses } from '../../api/developer-filters.ts'
import { Card } from '../../parts/card.tsx'
import { ChoiceFilter, FilterBar } from '../../parts/filters.tsx'
import { DeliveryList } from './delivery-list.tsx'

interface DeliveriesCardProps {
  endpoint_id?: string
  status: DeliveryStatus | undefined
  onStatus: (status: DeliveryStatus | undefined) => void
  empty: { title: string; text: string; action?: ReactNode }
  className?: string
}

/** Deliveries with a status filter. The page stores the filter in its URL. */
export function DeliveriesCard(props: DeliveriesCardProps) {
  const { status, onStatus, endpoint_id, empty, className = '' } = props
  return (
    <Card title="Deliveries" className={className}>
      <FilterBar clear={status === undefined ? undefined : () => onStatus(undefined)}>
        <ChoiceFilter
          label="Status"
          value={status}
          values={delivery_statuses}
          onChange={onStatus}
        />
      </FilterBar>
      <DeliveryList
        {...(endpoint_id === undefined ? {} : { endpoint_id })}
        status={status}
        empty={
          status === undefined
            ? empty
            : { title: `No ${status} deliveries`, text: 'Clear the filter to see all deliveries.' }
        }
      />
    </Card>
  )
}
