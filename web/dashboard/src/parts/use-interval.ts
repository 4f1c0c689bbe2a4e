import { useEffect, useEffectEvent } from 'react'

/** Repeats `work` while `going` is true and the tab is visible. */
export function useInterval(work: () => unknown, every_ms: number, going: boolean): void {
  const again = useEffectEvent(() => document.visibilityState === 'visible' && work())
  useEffect(() => {
    if (!going) return
    const timer = setInterval(() => again(), every_ms)
    return () => clearInterval(timer)
  }, [going, every_ms])
}
