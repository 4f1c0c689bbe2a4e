import { Fragment } from 'react'

/** An event type that can wrap after dots and underscores. */
export function EventName({ of }: { of: string }) {
  return of.split(/(?<=[._])/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name never move.
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
