import type { ReactNode } from 'react'

interface PageHeaderProps {
  /** Also the browser tab's title. */
  title: string
  /** Shown instead of the title when it is more than text. */
  children?: ReactNode
  actions?: ReactNode
}

export function PageHeader({ title, children, actions }: PageHeaderProps) {
  return (
    <header className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <title>{`${title} · Florin`}</title>
      <h1 className="min-w-0 text-xl font-[650] tracking-tight">{children ?? title}</h1>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </header>
  )
}
