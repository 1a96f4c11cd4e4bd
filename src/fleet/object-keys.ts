import { builtins } from '../node/builtins.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { retentionPrefix } from '../stores/retention-prefix.ts'

/**
 * The keys of objects:
 *
 * | key | what |
 * | --- | --- |
 * | `classes/<class>` | empty: there are runs of this class |
 * | `runs/<class>/packs/<hour>/<name>.pack` | up to a hundred runs of one agent |
 * | `runs/<class>/index/<hour>/<name>.parquet` | an index of packs; its name begins with `hour-` if it was compacted |
 * | `runs/<class>/terms/<hour>/<name>.terms` | where traces and tags are in the compacted index of the same name |
 * | `dictionaries/<name>.dictionary` | text that an agent's runs share |
 * | `damaged/<key>` | a damaged pack that was set aside, by the key that it had |
 * | `leases/<name>/<number>` | who holds the lease on work that one process at a time may do |
 *
 * Each retention rule has a class, so that a rule of the bucket's lifecycle can remove its runs by prefix. An hour is the beginning of the ids
 * of its runs: `20261121-02`.
 */
export type Kind = 'packs' | 'index' | 'terms'

const extensions: Readonly<Record<Kind, string>> = { packs: '.pack', index: '.parquet', terms: '.terms' }

/** The prefix of the objects of a kind. */
export function prefixOf(className: string, kind: Kind): string {
  return `${retentionPrefix(className)}${kind}/`
}

/** The key of an object. */
export function keyOf(className: string, kind: Kind, hour: string, name: string): string {
  return `${prefixOf(className, kind)}${hour}/${name}${extensions[kind]}`
}

/** The parts of a key. */
export interface KeyParts {
  readonly className: string
  readonly kind: Kind
  readonly hour: string
  readonly name: string
}

/** Parses a key; undefined for the key of something else. */
export function partsOf(key: string): KeyParts | undefined {
  const [, className = '', kind = '', hour = '', name = ''] = /^runs\/([^/]+)\/(packs|index|terms)\/([^/]+)\/([^/]+)\.\w+$/.exec(key) ?? []
  return name === '' ? undefined : { className: decodeURIComponent(className), kind: kind as Kind, hour, name }
}

/** Returns the key under which a damaged pack is set aside. */
export function damagedKey(pack: string): string {
  return `damaged/${pack}`
}

const COMPACTED = 'hour-'

/** Returns whether an index is compacted, by its name. */
export function isCompacted(name: string): boolean {
  return name.startsWith(COMPACTED)
}

/** Returns the name of a compacted index, which includes the number of entries in its map of terms. */
export function compactedName(content: Uint8Array, terms: number): string {
  return `${COMPACTED}${digest(content)}-${terms}`
}

/** Returns the number of entries in the map of a compacted index. */
export function termsOfName(name: string): number {
  return Number(name.slice(name.lastIndexOf('-') + 1))
}

/** Returns a hash of the content: thirty-two hexadecimal digits. */
export function digest(content: string | Uint8Array): string {
  return builtins.crypto.hash('sha256', content).slice(0, 32)
}

/** Returns whether a text is the id of a run. */
export function isRunId(id: string): boolean {
  return /^\d{8}-\d{9}-[0-9a-f]{8}$/.test(id)
}

/** Returns the hour of a run, from its id. */
export function hourOf(id: string): string {
  return id.slice(0, 11)
}

/** Returns the hour of a time in ISO 8601. */
export function hourOfTime(time: string): string {
  const iso = new Date(time).toISOString()
  return `${iso.slice(0, 10).replaceAll('-', '')}-${iso.slice(11, 13)}`
}

/** @throws GoldenrunError for a text that is not the id of a run. */
export function checkRunId(id: string): void {
  if (!isRunId(id)) throw new GoldenrunError('GOLDENRUN_STORAGE', `"${id}" is not the id of a run, such as 20261121-021406123-1f2c41aa.`)
}
