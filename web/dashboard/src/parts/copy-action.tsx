import { useState } from 'react'
import { Button, type Tone } from './button.tsx'
import { Icon } from './icon.tsx'

/** A button with a word, for what a page is there to be copied from. */
export function CopyAction(props: { text: string; label: string; tone?: Tone }) {
  const { text, label, tone = 'primary' } = props
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
  }
  return (
    <Button tone={tone} onClick={copy}>
      <Icon name={copied ? 'check' : 'copy'} />
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </Button>
  )
}
