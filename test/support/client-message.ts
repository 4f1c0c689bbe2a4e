// Splits the client side of a PostgreSQL connection into protocol messages.

/** Returns the first complete message and the remaining bytes; undefined if it is incomplete. */
export function takeMessage(
  unread: Buffer,
  is_started: boolean,
): { message: Buffer; rest: Buffer } | undefined {
  // Only the startup message has no type byte before its length.
  const head = is_started ? 1 : 0
  if (unread.length < head + 4) return undefined
  const length = head + unread.readInt32BE(head)
  if (unread.length < length) return undefined
  return { message: unread.subarray(0, length), rest: unread.subarray(length) }
}
