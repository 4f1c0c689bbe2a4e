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
] as const

export type NemesisName = (typeof nemesisNames)[number]
