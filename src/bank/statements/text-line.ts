// Separate from the decoder, which needs Node.js: the dashboard reads CSV files, too.

export type Encoding = 'utf-8' | 'windows-1252' | 'iso-8859-15' | 'utf-16le' | 'utf-16be'

/** A line of a decoded file, without its end. */
export interface Line {
  text: string
  /** From 1. */
  line: number
}
