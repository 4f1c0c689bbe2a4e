// Events as they happen, above those that were listed.

import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { EventFilter } from '../../../../../client/src/florin.ts'
import type { CursorList, FlorinEvent } from '../../api/shapes.ts'
import { useFlorin } from '../../api/use-florin.ts'

type EventQuery = UseInfiniteQueryResult<InfiniteData<CursorList<FlorinEvent>>>

// A page left open over a busy night must not fill the memory; what falls off is in the list.
const followed_max = 500

export function useEventTail(
  listed: EventQuery,
  { type, live }: { type: string | undefined; live: boolean },
): { query: EventQuery; fault: Error | undefined } {
  const florin = useFlorin()
  const [fresh, setFresh] = useState<FlorinEvent[]>([])
  const [fault, setFault] = useState<Error>()
  const first = listed.data?.pages[0]?.data[0]
  const ready = listed.data !== undefined
  // Where the list begins when the following does: an event that comes changes neither.
  const [after, setAfter] = useState<number>()
  if (!live && after !== (fresh[0] ?? first)?.sequence) setAfter((fresh[0] ?? first)?.sequence)

  useEffect(() => {
    if (!live || !ready) return
    const control = new AbortController()
    setFault(undefined)
    const follow = async () => {
      const stream = florin.events.stream(
        { type: type as EventFilter, after },
        { signal: control.signal },
      )
      for await (const event of stream) {
        setFresh((before) => [event, ...before].slice(0, followed_max))
      }
    }
    follow().catch((error) => control.signal.aborted || setFault(error as Error))
    return () => control.abort()
  }, [florin, live, ready, type, after])

  return { query: fresh.length === 0 ? listed : withFresh(listed, fresh), fault }
}

function withFresh(listed: EventQuery, fresh: FlorinEvent[]): EventQuery {
  const pages = listed.data?.pages ?? []
  const have = new Set(pages.flatMap((page) => page.data.map(({ id }) => id)))
  const added = { data: fresh.filter(({ id }) => !have.has(id)), has_more: true }
  const data = { pageParams: listed.data?.pageParams ?? [], pages: [added, ...pages] }
  return { ...listed, data } as EventQuery
}
