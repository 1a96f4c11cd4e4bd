import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { combine, replaceProperty, type Restore } from '../../patches.ts'

/** Published by Node once a module is loaded, before the code that loads it goes on: by `require`, and by `import()`. */
const channels = ['tracing:module.require:end', 'tracing:module.import:asyncEnd']

/**
 * Calls `onLoaded` whenever code may have loaded a module: by `require`, `import()` or `process.getBuiltinModule`.
 *
 * @note In Jest's sandboxes `process.getBuiltinModule` is a `require`, so that what `onLoaded` itself loads would call it again.
 */
export function watchModules(onLoaded: () => void): Restore {
  let isCalled = false
  const listen = (): void => {
    if (isCalled) return
    isCalled = true
    try {
      onLoaded()
    } finally {
      isCalled = false
    }
  }
  for (const channel of channels) subscribe(channel, listen)
  // In Jest's sandboxes `process` is a copy.
  const processes = new Set([process.getBuiltinModule('node:process'), process])
  return combine(
    () => {
      for (const channel of channels) unsubscribe(channel, listen)
    },
    ...[...processes].map((each) => watchBuiltins(each, listen)),
  )
}

function watchBuiltins(target: NodeJS.Process, onLoaded: () => void): Restore {
  return replaceProperty(
    target,
    'getBuiltinModule',
    (original) =>
      function getBuiltinModule(id: string): object | undefined {
        const found = original.call(target, id)
        if (id === 'node:sqlite') onLoaded()
        return found
      },
  )
}
