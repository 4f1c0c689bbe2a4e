import type { ComponentProps } from 'react'
import { useId } from 'react'

interface FileFieldProps extends ComponentProps<'input'> {
  label: string
  hint?: string | undefined
  error?: string | undefined
}

export function FileField({ label, hint, error, ...rest }: FileFieldProps) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        id={id}
        type="file"
        className="w-full min-w-0 rounded-lg border border-line-strong text-sm font-normal
 text-muted file:mr-3 file:h-9 file:cursor-pointer file:rounded-l-lg file:border-0 file:border-r
 file:border-solid file:border-line-strong file:bg-canvas file:px-3 file:font-semibold
 file:text-ink pointer-coarse:file:h-11"
        aria-invalid={error !== undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        {...rest}
      />
      {note && (
        <p id={`${id}-note`} className={`text-xs ${error ? 'text-red' : 'text-muted'}`}>
          {note}
        </p>
      )}
    </div>
  )
}
