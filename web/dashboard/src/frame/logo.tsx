// The logo: a gold ring around a green coin with the lily of Florence.

const lily = [
  'M20 9.2c2.5 2.7 3.7 5.2 3.7 7.6 0 2.3-1.3 4.1-2.2 6.1h-3',
  'c-.9-2-2.2-3.8-2.2-6.1 0-2.4 1.2-4.9 3.7-7.6Z',
  'M17.2 22.9c-.5-4-2.6-6.9-5.4-6.9-2.7 0-3.6 3.2-1.5 4.7',
  '.1-1.5 1.3-2 2.4-1.1 1 .8 1.5 1.9 1.7 3.3Z',
  'M22.8 22.9c.5-4 2.6-6.9 5.4-6.9 2.7 0 3.6 3.2 1.5 4.7',
  '-.1-1.5-1.3-2-2.4-1.1-1 .8-1.5 1.9-1.7 3.3Z',
  'M14.1 23.9h11.8a.9.9 0 0 1 0 1.8H14.1a.9.9 0 0 1 0-1.8Z',
  'M18.6 26.7h2.8c0 1.7-.5 3-1.4 4.2-.9-1.2-1.4-2.5-1.4-4.2Z',
  'M17 26.7c-.3 1.6-1.3 2.5-3.2 2.7.6-.9.9-1.7 1-2.7Z',
  'M23 26.7c.3 1.6 1.3 2.5 3.2 2.7-.6-.9-.9-1.7-1-2.7Z',
].join(' ')

export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 40 40" aria-hidden="true" className="shrink-0">
      <circle cx="20" cy="20" r="19" fill="none" stroke="var(--gold)" strokeWidth="2" />
      <circle cx="20" cy="20" r="15.5" fill="var(--brand)" />
      <path d={lily} fill="var(--on-brand)" />
    </svg>
  )
}
