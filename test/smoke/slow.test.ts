// A short run of the fuzz test and the model, so that the default tier notices when they break.
// With a random seed, two sequences of the model covered too little in one of ten runs.

const files: Record<string, Record<string, string>> = {
  '../http/fuzz.slow.test.ts': { FLORIN_FUZZ_REQUESTS: '225' },
  '../model/all-resources.slow.test.ts': { FLORIN_MODEL_SEQUENCES: '2', FLORIN_MODEL_SEED: '6' },
}

for (const [file, settings] of Object.entries(files)) {
  const before = { ...process.env }
  Object.assign(process.env, settings)
  // The query makes a second module, in case this process also runs the file itself.
  await import(new URL(`${file}?smoke`, import.meta.url).href)
  for (const name of Object.keys(settings)) {
    if (before[name] === undefined) delete process.env[name]
    else process.env[name] = before[name]
  }
}
