import { fileURLToPath } from 'node:url'
import { ownRequire } from '../node/own-url.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { createDirectoryStore } from './directory-store.ts'
import { maskUrl } from './mask-url.ts'
import { ownFile } from '../node/own-file.ts'
import type { TraceStore } from './trace-store.ts'

/** The stores by the protocol of their URLs: the file, the entry, and the function that creates the store. */
const makers: Readonly<Record<string, { readonly file: string; readonly entry: string; readonly make: string }>> = {
  'redis:': { file: 'stores/redis', entry: 'stores/redis', make: 'createRedisStore' },
  'rediss:': { file: 'stores/redis', entry: 'stores/redis', make: 'createRedisStore' },
  's3:': { file: 'fleet/s3', entry: 'stores/s3', make: 'createS3Store' },
}

/** Returns whether the location of a store is a URL and not a directory. A Windows drive is not a protocol. */
export function isStoreUrl(location: string): boolean {
  return /^[a-z][\w+.-]+:\/\//i.test(location)
}

/** Returns the directory at a location; undefined if it is not a path or a `file:` URL. */
export function directoryAt(location: string): string | undefined {
  if (!isStoreUrl(location)) return location
  return location.startsWith('file:') ? fileURLToPath(location) : undefined
}

/** Creates the store at a location: a directory or a URL. */
export function createStoreAt(location: string): TraceStore {
  const directory = directoryAt(location)
  return directory === undefined ? createUrlStore(location) : createDirectoryStore(directory)
}

/**
 * Creates the store of a URL: `redis://host:6379`, `rediss://…` or `s3://bucket/prefix`. Its code is loaded with the first URL of its kind.
 *
 * @throws GoldenrunError for a protocol without a store.
 */
export function createUrlStore(url: string): TraceStore {
  const protocol = `${url.slice(0, url.indexOf(':')).toLowerCase()}:`
  const maker = Object.hasOwn(makers, protocol) ? makers[protocol] : undefined
  if (maker === undefined) {
    const known = `a directory, ${Object.keys(makers)
      .map((name) => `${name}//`)
      .join(', ')}`
    throw new GoldenrunError('GOLDENRUN_STORE_URL', `There is no store for ${maskUrl(url)}. Known stores: ${known}.`)
  }
  const make = load(maker)[maker.make]
  if (typeof make !== 'function')
    throw new GoldenrunError('GOLDENRUN_STORE_URL', `This release of goldenrun has no store for ${maskUrl(url)}. Install a newer one.`)
  return (make as (url: string) => TraceStore)(url)
}

/**
 * Loads an entry of this package, as the same module that a program gets when it imports the entry.
 *
 * @note Synchronous, because creating a recorder is. The path is known only at run time, so that a bundler of a program that records to a
 *   directory finds neither the entry nor the packages that it needs.
 */
function load({ file: name, entry }: { readonly file: string; readonly entry: string }): Readonly<Record<string, unknown>> {
  const require = ownRequire()
  const file = ownFile(name)
  try {
    return require(file ?? `goldenrun/${entry}`) as Record<string, unknown>
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (file !== undefined || (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED')) throw error
    return {}
  }
}
