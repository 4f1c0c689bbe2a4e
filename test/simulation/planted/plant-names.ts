/** The planted bugs, each a file of its name beside this one. */
export const plantNames = [
  'ack-before-commit',
  'no-idem-unique',
  'check-then-act',
  'hold-leak',
  'cancel-unconditionally',
  'split-tx',
  'webhook-outside-tx',
  'session-cache',
  'seq-outside-lock',
  'commit-tag-unchecked',
] as const

export type PlantName = (typeof plantNames)[number]
