/** What can be done to a running Florin, as the option --nemesis names it. */
export const nemesisNames = [
  'kill-server',
  'kill-database',
  'kill-both',
  'pause-server',
  'pause-database',
  'stop-server',
  'reset-clients',
  'lose-replies',
  'reset-database',
  'end-backends',
  'cancel-statements',
  'hold-locks',
  'fail-over',
] as const

export type NemesisName = (typeof nemesisNames)[number]

export interface Topology {
  database: string
  instances: number
  standby: boolean
}

/**
 * Those that can be done there. A database that was given is not ours to kill, and one with a
 * standby is killed by a failover.
 */
export function possibleFaults(names: NemesisName[], place: Topology): NemesisName[] {
  const embedded = place.database === 'embedded' && !place.standby
  return names.filter((name) => {
    if (name === 'fail-over') return place.standby
    if (name === 'reset-database' && place.standby) return false
    if (name === 'reset-database') return !embedded || place.instances > 1
    return embedded || !/-(database|both)$/.test(name)
  })
}
