/** The faults that the option --nemesis can name. */
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

interface Topology {
  database: string
  instances: number
  standby: boolean
}

/**
 * Returns the faults that are possible in a topology. An external database must not be killed, and
 * one with a standby is killed only by a failover.
 */
export function possibleFaults(names: NemesisName[], topology: Topology): NemesisName[] {
  const embedded = topology.database === 'embedded' && !topology.standby
  return names.filter((name) => {
    if (name === 'fail-over') return topology.standby
    if (name === 'reset-database' && topology.standby) return false
    if (name === 'reset-database') return !embedded || topology.instances > 1
    return embedded || !/-(database|both)$/.test(name)
  })
}
