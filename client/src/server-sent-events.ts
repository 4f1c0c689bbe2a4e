// Parses server-sent events from text in arbitrary chunks.

interface Block {
  id: string | undefined
  data: string
}

export class BlockReader {
  /** The id of the last complete block, also of one without data: where to resume. */
  last_id: string | undefined
  #rest = ''
  #id: string | undefined
  #data: string[] = []

  /** Returns the blocks that this chunk completes. */
  push(chunk: string): Block[] {
    const text = this.#rest + chunk
    // A carriage return at the end may be the first half of CRLF.
    const pending = text.endsWith('\r') ? '\r' : ''
    const lines = text.slice(0, text.length - pending.length).split(/\r\n|\n|\r/)
    this.#rest = lines.pop()! + pending
    return lines.flatMap((line) => this.#read(line))
  }

  #read(line: string): Block[] {
    if (line === '') return this.#finish()
    const colon = line.indexOf(':')
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'data') this.#data.push(value)
    if (name === 'id') this.#id = value
    return []
  }

  /** A block without data, such as a heartbeat, is not an event. */
  #finish(): Block[] {
    const data = this.#data
    this.#data = []
    this.last_id = this.#id
    return data.length === 0 ? [] : [{ id: this.#id, data: data.join('\n') }]
  }
}
