import { buttonClass } from './button.tsx'

/** Downloads a receipt or a credit note. A plain link, so the browser shows the progress. */
export function DocumentLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} download className={buttonClass('plain')}>
      {children}
    </a>
  )
}
