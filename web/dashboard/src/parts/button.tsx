import type { ButtonHTMLAttributes } from 'react'

export type Tone = 'primary' | 'plain' | 'danger' | 'quiet'

const tones: Record<Tone, string> = {
  primary: 'bg-brand text-on-brand hover:bg-brand-hover',
  plain: 'border border-line bg-card text-ink hover:border-line-strong',
  danger: 'border border-red bg-card text-red hover:bg-red-soft',
  quiet: 'text-muted hover:bg-canvas hover:text-ink',
}

/** Also for links styled as buttons. 44 px high on touch screens. */
export function buttonClass(tone: Tone = 'plain'): string {
  return `inline-flex h-9 pointer-coarse:h-11 shrink-0 items-center justify-center gap-2 rounded-lg
 px-3.5 text-sm font-semibold whitespace-nowrap transition-colors disabled:opacity-50
 ${tones[tone]}`
}

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { tone?: Tone }

export function Button({ tone, className = '', type = 'button', ...rest }: ButtonProps) {
  return <button type={type} className={`${buttonClass(tone)} ${className}`} {...rest} />
}
