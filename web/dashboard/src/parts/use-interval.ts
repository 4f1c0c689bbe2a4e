import { useEffect, useEffectEvent } from 'react'

/** Does something again and again while `going` and while somebody looks at the page. */
export function useInterval(work: () => unknown, every_ms: number, going: boolean): void {
  const again = useEffectEvent(() => document.visibilityState === 'visible' && work())
  useEffect(() => {
    if (!going) return
    const timer = setInterval(() => again(), every_ms)
    return () => clearInterval(timer)
  }, [going, every_ms])
}
