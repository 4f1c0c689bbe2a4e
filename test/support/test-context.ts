// The test runner finds the current test with an async hook that runs for every promise, which took
// a tenth of the CPU time of the test processes. This replaces the hook by AsyncLocalStorage.
// Import it before node:test is loaded. shared-process.process.test.ts has the contract.

import async_hooks, { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'

type Hooks = Pick<typeof async_hooks, 'createHook' | 'executionAsyncId'>

// The runner reads these once, when it is loaded.
const hooks: Hooks = async_hooks
const { createHook, executionAsyncId } = hooks
const { runInAsyncScope } = AsyncResource.prototype
const current = new AsyncLocalStorage<number>()

hooks.executionAsyncId = () => current.getStore() ?? executionAsyncId()

// The runner maps the ids of its tests to them in `init`. It creates no other hook.
hooks.createHook = ({ init }) => {
  hooks.createHook = createHook
  return createHook({
    trackPromises: false,
    init(id, type, trigger_id, resource) {
      if (type === 'Test') init!(id, type, trigger_id, resource)
    },
  })
}

AsyncResource.prototype.runInAsyncScope = function (work, target, ...args) {
  const run = () => Reflect.apply(work as () => never, target, args)
  if (!isTest(this)) return runInAsyncScope.call(this, run) as never
  return runInAsyncScope.call(this, () => current.run(this.asyncId(), run)) as never
}

/** Tests, suites and the hooks of tests have this field. */
function isTest(resource: object): boolean {
  return 'subtests' in resource
}
