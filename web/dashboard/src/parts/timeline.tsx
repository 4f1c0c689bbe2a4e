import type { ReactNode } from 'react'
import { When } from './when.tsx'

export interface TimelineEntry {
  key: string
  at: string
  title: ReactNode
  text?: ReactNode
  /** `coming` marks a future entry. */
  tone?: 'good' | 'waiting' | 'bad' | 'quiet' | 'coming'
}

const dots = {
  good: 'bg-brand',
  waiting: 'bg-blue',
  bad: 'bg-red',
  quiet: 'bg-line-strong',
  coming: 'border-2 border-line-strong bg-card',
}

/** A timeline, newest entry first. */
export function Timeline({ entries }: { entries: TimelineEntry[] }) {
  return (
    <ol className="relative">
      {entries.map(({ key, at, title, text, tone = 'quiet' }) => (
        <li key={key} className="group relative flex gap-3 pb-5 last:pb-0">
          <span
            aria-hidden="true"
            className="absolute top-4 bottom-[-6px] left-1 w-px bg-line group-last:hidden"
          />
          <span
            aria-hidden="true"
            className={`relative mt-1.5 size-[9px] rounded-full ${dots[tone]}`}
          />
          <div className="min-w-0 flex-1">
            <div className="flex flex-wrap justify-between gap-x-4">
              <span className="font-medium">{title}</span>
              <span className="text-xs text-muted">
                <When at={at} absolute />
              </span>
            </div>
            {text && <div className="mt-0.5 break-words text-muted">{text}</div>}
          </div>
        </li>
      ))}
    </ol>
  )
}
