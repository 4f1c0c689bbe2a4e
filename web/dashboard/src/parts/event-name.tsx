import { Fragment } from 'react'

/** transaction.succeeded, broken where it has its joints when there is no room. */
export function EventName({ of }: { of: string }) {
  return of.split(/(?<=[._])/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name never move.
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
