// A second test reporter: prints the files in which a test failed, one per line.

interface TestEvent {
  type: string
  data: { file?: string; details?: { error?: { failureType?: string } } }
}

export default async function* failedFiles(
  events: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  const seen = new Set<string>()
  for await (const { type, data } of events) {
    if (type !== 'test:fail' || data.file === undefined || seen.has(data.file)) continue
    // A failed subtest is reported separately, and may be in another file.
    if (data.details?.error?.failureType === 'subtestsFailed') continue
    seen.add(data.file)
    yield `${data.file}\n`
  }
}
