// A reporter beside the one people read: the files in which a test failed, one a line.

type Told = { type: string; data: { file?: string } }

export default async function* failedFiles(told: AsyncIterable<Told>): AsyncGenerator<string> {
  const seen = new Set<string>()
  for await (const { type, data } of told) {
    if (type !== 'test:fail' || data.file === undefined || seen.has(data.file)) continue
    seen.add(data.file)
    yield `${data.file}\n`
  }
}
