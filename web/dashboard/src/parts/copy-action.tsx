import { Button, type Tone } from './button.tsx'
import { Icon } from './icon.tsx'
import { useCopy } from './use-copy.tsx'

/** A copy button with a label, for a page's main value. */
export function CopyAction(props: { text: string; label: string; tone?: Tone }) {
  const { text, label, tone = 'primary' } = props
  const { copy, copied, by_hand } = useCopy(text)
  return (
    <>
      <Button tone={tone} onClick={copy}>
        <Icon name={copied ? 'check' : 'copy'} />
        <span aria-live="polite">{copied ? 'Copied' : label}</span>
      </Button>
      {by_hand}
    </>
  )
}
