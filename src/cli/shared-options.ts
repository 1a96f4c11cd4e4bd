import path from 'node:path'
import { Option } from 'commander'
import { loadConfig } from '../config/load-config.ts'
import { DEFAULT_STORE, toStore } from '../stores/default-store.ts'
import { CapabilityError } from '../stores/errors/capability-error.ts'
import { canFind, type FindingStore } from '../stores/every-run.ts'
import { directoryAt, isStoreUrl } from '../stores/store-url.ts'
import type { TraceStore } from '../stores/trace-store.ts'

/** The values of `storeOption` and `jsonOption`. */
export interface StoreOptions {
  readonly store?: string
  readonly json?: true
}

/** The option for the location of recordings. */
export function storeOption(): Option {
  return new Option(
    '--store <place>',
    `where your recorder writes to: a directory, or a URL (redis://host, s3://bucket/prefix) (default: the config's, or "${DEFAULT_STORE}")`,
  )
}

/** Returns the location of recordings: from the option, or else from the config. */
export async function storeOf(option: string | undefined): Promise<string | TraceStore> {
  if (option !== undefined) return option
  const { config, file } = await loadConfig()
  if (file === undefined || config.store === undefined) return DEFAULT_STORE
  if (typeof config.store !== 'string' || isStoreUrl(config.store)) return config.store
  return path.resolve(path.dirname(file), config.store)
}

/**
 * Returns the location of recordings as a store that can find runs, from the option, or else from the config.
 *
 * @throws CapabilityError for a store that cannot find runs.
 */
export async function findingStoreOf(option: string | undefined): Promise<{ readonly store: FindingStore; readonly place: string }> {
  const { store, place } = toStore(await storeOf(option))
  if (!canFind(store)) throw new CapabilityError('Cannot look for recordings', place, 'find')
  return { store, place }
}

/** Whether recordings are in a directory, which can be read without a network. */
export function isLocal(store: string | TraceStore): boolean {
  return typeof store === 'string' && directoryAt(store) !== undefined
}

/** The option that lets agents have a network. */
export function networkOption(): Option {
  return new Option(
    '--network',
    'let the process of the agents keep its network (default: on Linux it has none, where the system allows that, unless the config has live hosts or a context)',
  )
}

/** The option that turns a command's output into data. */
export function jsonOption(): Option {
  return new Option('--json', 'print one JSON object and nothing else')
}
