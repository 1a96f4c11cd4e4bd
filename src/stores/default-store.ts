import { createDirectoryStore } from './directory-store.ts'
import { displayPath } from '../node/display-path.ts'
import type { TraceStore } from './trace-store.ts'

/** The default location of recordings, relative to the working directory. */
export const DEFAULT_STORE = '.goldenrun/runs'

/** A store, and its name in messages. */
export interface NamedStore {
  readonly store: TraceStore
  readonly place: string
}

/** Converts an option to a store: a store itself, a directory, or `.goldenrun/runs`. */
export function toStore(option: string | TraceStore = DEFAULT_STORE): NamedStore {
  return typeof option === 'string'
    ? { store: createDirectoryStore(option), place: displayPath(option) }
    : { store: option, place: 'the store' }
}
