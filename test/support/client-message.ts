// PostgreSQL's protocol as a proxy sees it come from a client: one message after the other.

/** The first whole message and what is left; undefined while it has not arrived whole. */
export function takeMessage(
  unread: Buffer,
  is_started: boolean,
): { message: Buffer; rest: Buffer } | undefined {
  // Only the very first message, which opens the session, has no letter before its length.
  const head = is_started ? 1 : 0
  if (unread.length < head + 4) return undefined
  const length = head + unread.readInt32BE(head)
  if (unread.length < length) return undefined
  return { message: unread.subarray(0, length), rest: unread.subarray(length) }
}
