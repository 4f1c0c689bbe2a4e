// A reporter beside the one people read: the files in which a test failed, one a line.

interface TestEvent {
  type: string
  data: { file?: string; details?: { error?: { failureType?: string } } }
}

export default async function* failedFiles(told: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const seen = new Set<string>()
  for await (const { type, data } of told) {
    if (type !== 'test:fail' || data.file === undefined || seen.has(data.file)) continue
    // One that failed for what is within it is told by that, which may lie in another file.
    if (data.details?.error?.failureType === 'subtestsFailed') continue
    seen.add(data.file)
    yield `${data.file}\n`
  }
}
