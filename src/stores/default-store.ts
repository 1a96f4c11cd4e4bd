import { createDirectoryStore } from './directory-store.ts'
import { displayPath } from '../node/display-path.ts'
import type { TraceStore } from './trace-store.ts'

/** Where recordings are looked for when nothing else is said, from the working directory. */
export const DEFAULT_STORE = '.goldenrun/runs'

/** A store, and what a message calls it. */
export interface NamedStore {
  readonly store: TraceStore
  readonly place: string
}

/** The store that an option means: a store itself, a directory, or `.goldenrun/runs`. */
export function toStore(option: string | TraceStore = DEFAULT_STORE): NamedStore {
  return typeof option === 'string'
    ? { store: createDirectoryStore(option), place: displayPath(option) }
    : { store: option, place: 'the store' }
}
