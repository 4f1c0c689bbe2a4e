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
  'switch-over',
  'lose-primary',
] as const

export type NemesisName = (typeof nemesisNames)[number]

interface Topology {
  database: string
  instances: number
  standby: boolean
  patroni: boolean
}

/**
 * Returns the faults that are possible in a topology. An external database must not be killed, and
 * one with a standby is killed only by a failover. Patroni fails over by itself.
 */
export function possibleFaults(names: NemesisName[], topology: Topology): NemesisName[] {
  const { standby, patroni, instances } = topology
  const replicated = standby || patroni
  const embedded = topology.database === 'embedded' && !replicated
  return names.filter((name) => {
    if (name === 'fail-over') return standby
    if (name === 'switch-over' || name === 'lose-primary') return patroni
    if (name === 'reset-database' && replicated) return false
    if (name === 'reset-database') return !embedded || instances > 1
    return embedded || !/-(database|both)$/.test(name)
  })
}
