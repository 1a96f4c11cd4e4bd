import module from 'node:module'
import { processWide } from '../../../node/process-wide.ts'

const state = processWide('sqlite-hook', () => ({ isOn: false }))

/**
 * Has `node:sqlite` loaded, and its doors opened, before a module imports it: Node's `syncBuiltinESMExports` leaves out named imports of modules
 * that only have a name with `node:`.
 */
export function hookSqlite(): void {
  if (state.isOn) return
  state.isOn = true
  module.registerHooks({
    resolve(specifier, context, nextResolve) {
      // The doors watch this.
      if (specifier === 'node:sqlite') process.getBuiltinModule('node:sqlite')
      return nextResolve(specifier, context)
    },
  })
}
