// Icons on a 20 × 20 grid with a 1.6 stroke. They always have a text label, so they are hidden from
// screen readers.

const drawings = {
  home: 'M3.5 9 10 3.5 16.5 9v7.5h-4.5V12h-4v4.5H3.5Z',
  transactions: 'M3 7h12l-3-3M17 13H5l3 3',
  payments: 'M5 2.8h10v14.4l-2.5-1.6-2.5 1.6-2.5-1.6L5 17.2ZM8 7h4M8 10.5h4',
  disputes: 'M5 17.5V3M5 3.8h10.5L13 7.4l2.5 3.6H5',
  payouts: 'M10 12.5V3M6.5 6.5 10 3l3.5 3.5M3 11.5V17h14v-5.5',
  transfers: 'M2.5 10h10M9 6.5l3.5 3.5L9 13.5M17 4v12',
  links:
    'M8.5 11.5a3.5 3.5 0 0 0 5 0l2.5-2.5a3.5 3.5 0 0 0-5-5l-1 1M11.5 8.5a3.5 3.5 0 0 0-5 0L4 11' +
    'a3.5 3.5 0 0 0 5 5l1-1',
  subscriptions:
    'M16.5 10a6.5 6.5 0 0 1-11.6 4M3.5 10A6.5 6.5 0 0 1 15 6M15 2.5V6h-3.5M5 17.5V14h3.5',
  statement: 'M4 3h12v14H4ZM7 7h6M7 10h6M7 13h3',
  settings:
    'M3 6h7.5M15.5 6H17M13 8.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z' +
    'M3 14h1.5M9.5 14H17M7 16.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  events: 'M11 2.5 4.5 11.5H10L9 17.5l6.5-9H10Z',
  webhooks:
    'M7 13.5a3 3 0 1 1-3-3M10 4.5a3 3 0 0 1 2 5.2M13 13.5H7.5L10.5 8M16 11a3 3 0 1 1-2.5 4.8',
  key: 'M12.5 11.5a4 4 0 1 0-4-4c0 .5.1 1 .3 1.5L3 14.5V17h3v-2h2v-2h1.5l1.2-1.8c.6.2 1.2.3 1.8.3Z',
  requests: 'm7 6-4 4 4 4M13 6l4 4-4 4',
  mail: 'M2.5 4.5h15v11h-15ZM3 5.5l7 5.5 7-5.5',
  clock: 'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM10 6v4.5l3 1.5',
  users:
    'M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2 16.5c0-3 2.5-4.5 5.5-4.5S13 13.5 13 16.5' +
    'M13 4a3 3 0 0 1 0 5.5M15 12.5c2 .5 3 2 3 4',
  accounts: 'M3 17V8l7-4.5L17 8v9M3 17h14M7 17v-6M10 17v-6M13 17v-6',
  audit: 'M10 2.5 16.5 5v5c0 4-3 6.5-6.5 7.5C6.5 16.5 3.5 14 3.5 10V5ZM7 10l2 2 4-4',
  bank: 'M3 7.5 10 3l7 4.5M4.5 7.5v7M8 7.5v7M12 7.5v7M15.5 7.5v7M3 17h14',
  reconciliation: 'M10 3v14M6.5 17h7M4 5.5h12M4 5.5 2 11.5h4ZM16 5.5l-2 6h4Z',
  health: 'M2.5 10.5H6l2-6 4 11 2-5h3.5',
  search: 'M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12ZM13.5 13.5 17 17',
  menu: 'M3 6h14M3 10h14M3 14h14',
  close: 'm5 5 10 10M15 5 5 15',
  copy: 'M7 7h9.5v9.5H7ZM13 7V3.5H3.5V13H7',
  warning: 'M10 3 2.5 16.5h15ZM10 8.2v3.6M10 14v.1',
  check: 'm4 10.5 4 4 8-9',
  chevron: 'm6 8 4 4 4-4',
  person: 'M10 10a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM3.5 17c0-3.5 3-5 6.5-5s6.5 1.5 6.5 5',
  help:
    'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM7.8 7.8a2.3 2.3 0 1 1 3.4 2' +
    'c-.8.4-1.2.9-1.2 1.7M10 13.8v.1',
  arrow: 'M4 10h12M11 5l5 5-5 5',
} as const

export type IconName = keyof typeof drawings

export function Icon({ name }: { name: IconName }) {
  return (
    <svg width="18" height="18" viewBox="0 0 20 20" aria-hidden="true" className="shrink-0">
      <path
        d={drawings[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
