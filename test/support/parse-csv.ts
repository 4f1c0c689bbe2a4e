// An independent RFC 4180 parser. It shares no code with the CSV writer.

export function parseCsv(text: string): string[][] {
  const records: string[][] = []
  let fields: string[] = []
  let at = 0
  while (at < text.length) {
    const quoted = /"((?:[^"]|"")*)"/y
    const plain = /[^",\r\n]*/y
    quoted.lastIndex = at
    plain.lastIndex = at
    const found = quoted.exec(text)
    if (found) at = quoted.lastIndex
    const field = found ? found[1]!.replaceAll('""', '"') : plain.exec(text)![0]
    if (!found) at = plain.lastIndex
    fields.push(field)
    if (text[at] === ',') {
      at += 1
    } else if (text.startsWith('\r\n', at)) {
      at += 2
      records.push(fields)
      fields = []
    } else {
      throw new Error(`not CSV at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`)
    }
  }
  return records
}
