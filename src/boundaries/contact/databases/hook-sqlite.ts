import module from 'node:module'
import { processWide } from '../../../node/process-wide.ts'

const state = processWide('sqlite-hook', () => ({ isOn: false }))

/**
 * Loads `node:sqlite` and opens its doors before a module imports it, because Node's `syncBuiltinESMExports` does not update named imports
 * of modules that only exist with the `node:` prefix.
 */
export function hookSqlite(): void {
  if (state.isOn) return
  state.isOn = true
  module.registerHooks({
    resolve(specifier, context, nextResolve) {
      // The doors watch this call.
      if (specifier === 'node:sqlite') process.getBuiltinModule('node:sqlite')
      return nextResolve(specifier, context)
    },
  })
}
