import type { ReactNode } from 'react'

interface CardProps {
  title?: string
  /** To the right of the title. */
  action?: ReactNode
  children: ReactNode
  className?: string
}

/** A section of a page. With a title it is a landmark for screen readers. */
export function Card({ title, action, children, className = '' }: CardProps) {
  const frame = `min-w-0 rounded-xl border border-line bg-card p-5 max-sm:p-4 ${className}`
  if (title === undefined) return <div className={frame}>{children}</div>
  return (
    <section aria-label={title} className={frame}>
      <div className="mb-3 flex items-baseline justify-between gap-3">
        <h2 className="text-base font-semibold">{title}</h2>
        {action}
      </div>
      {children}
    </section>
  )
}

/** One prominent value with its label. */
export function Figure(props: { label: string; value: ReactNode; note?: ReactNode }) {
  return (
    <Card>
      <div className="font-medium text-muted">{props.label}</div>
      <div className="figures mt-1 h-8 text-xl font-[650] tracking-tight">{props.value}</div>
      {props.note && <div className="mt-0.5 text-xs text-muted">{props.note}</div>}
    </Card>
  )
}

/**
 * Three figures side by side. On a phone the first is above the other two; all three stack when an
 * amount does not fit half the width.
 */
export function Figures({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      className="mb-4 flex flex-wrap gap-4 max-sm:gap-3 *:min-w-min *:flex-1 *:max-sm:basis-2/5
 max-sm:[&>:first-child]:basis-full"
    >
      {children}
    </section>
  )
}

/** Name and value pairs. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <dl>
      {facts.map(([name, value]) => (
        <div
          key={name}
          className="flex min-h-10 items-center justify-between gap-6 border-t border-line py-1
 first:border-0"
        >
          <dt className="shrink-0 text-muted">{name}</dt>
          <dd className="min-w-0 text-right break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
