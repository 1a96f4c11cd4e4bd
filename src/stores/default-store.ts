import { createDirectoryStore } from './directory-store.ts'
import { displayPath } from '../node/display-path.ts'
import { knownOrMade } from '../trace/remember.ts'
import { maskUrl } from './mask-url.ts'
import { createUrlStore, directoryAt } from './store-url.ts'
import type { TraceStore } from './trace-store.ts'

/** The default location of recordings, relative to the working directory. */
export const DEFAULT_STORE = '.goldenrun/runs'

/** A store, and its name in messages. */
export interface NamedStore {
  readonly store: TraceStore
  readonly place: string
}

/** By URL, so that a command and the server it starts connect once. */
const urlStores = new Map<string, TraceStore>()

/** Converts an option to a store: a store, a directory or a URL. Default: `.goldenrun/runs`. */
export function toStore(option: string | TraceStore = DEFAULT_STORE): NamedStore {
  if (typeof option !== 'string') return { store: option, place: 'the store' }
  const directory = directoryAt(option)
  if (directory !== undefined) return { store: createDirectoryStore(directory), place: displayPath(directory) }
  return { store: knownOrMade(urlStores, option, () => createUrlStore(option)), place: maskUrl(option) }
}
