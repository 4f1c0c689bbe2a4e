// Checks the limits of a bulk body before it is parsed. One pass over the bytes finds the items: in
// `{"transactions": [{…}, {…}]}` they are the values at the third level. A body of another form is
// rejected by the schema, after it was parsed within these limits.

import { HttpFault } from './http-fault.ts'

export const items_max = 1_000

interface ItemLimits {
  bytes: number
  keys: number
}

const item_depth = 3

/** The number of items, at least 1. Throws if they are too many, or if one is too large. */
export function countItems(body: Buffer, limits: ItemLimits): number {
  let depth = 0
  let items = 0
  let commas = 0
  let keys = 0
  let start = 0
  for (let at = 0; at < body.length; at++) {
    switch (body[at]) {
      case 0x22: // "
        at = endOfString(body, at + 1)
        break
      case 0x3a: // :
        if (depth >= item_depth && ++keys > limits.keys) throw tooManyKeys(items, limits)
        break
      case 0x2c: // ,
        if (depth === item_depth - 1 && ++commas >= items_max) throw tooManyItems()
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth !== item_depth) break
        if (++items > items_max) throw tooManyItems()
        start = at
        keys = 0
        break
      case 0x5d: // ]
      case 0x7d: // }
        if (depth-- === item_depth && at - start >= limits.bytes) throw tooLarge(items, limits)
        break
    }
  }
  // An item that is not closed.
  if (depth >= item_depth && body.length - start > limits.bytes) throw tooLarge(items, limits)
  return Math.max(1, items)
}

/** The index of the closing quotation mark, or the end of the body. */
function endOfString(body: Buffer, from: number): number {
  let at = from
  while (at < body.length) {
    if (body[at] === 0x22) return at
    at += body[at] === 0x5c ? 2 : 1
  }
  return at
}

function tooManyItems(): HttpFault {
  const rule = `"transactions" must have 1 to ${items_max} items; got more.`
  return new HttpFault(400, `${rule} Split them into several requests.`)
}

function tooLarge(items: number, { bytes }: ItemLimits): HttpFault {
  return fault(items, `must have at most ${bytes / 1_024} KiB of JSON; got more`)
}

function tooManyKeys(items: number, { keys }: ItemLimits): HttpFault {
  return fault(items, `must have at most ${keys} keys; got more`)
}

function fault(items: number, rule: string): HttpFault {
  return new HttpFault(400, `"transactions.${items - 1}" ${rule}.`)
}
