import type { RunRow } from '../trace/run-row.ts'
import { isJsonObject } from '../trace/json.ts'
import { orElse } from '../trace/or-else.ts'

/** The names by which a run is known and found, as text. */
export type RunNames = Pick<RunRow, 'agent' | 'agentVersion' | 'tags'>

/** The values that a caller may actually pass: JavaScript and casts ignore the types. */
interface GivenNames {
  readonly agentVersion?: unknown
  readonly tags?: unknown
}

/** Notified of names that were left out. */
type OnLeftOut = (what: 'tags' | 'the version', why: string) => void

/** Returns a name as text; undefined if it cannot be text. */
export function toName(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint' ? String(value) : undefined
}

/** Returns the kind of a value, for a warning. */
export function nameKind(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value !== 'object') return `a ${typeof value}`
  // A revoked proxy cannot be read.
  return orElse(() => (Array.isArray(value) ? 'an array' : 'an object'), 'an object that cannot be read')
}

/** Returns the names of a run as text. Names that cannot be text are left out, because a recording with them could not be read. */
export function readNames(agent: string, { agentVersion, tags }: GivenNames, onLeftOut: OnLeftOut): RunNames {
  const version = toName(agentVersion)
  if (agentVersion !== undefined && version === undefined) {
    onLeftOut('the version', `"agentVersion" is ${nameKind(agentVersion)}, but has to be text`)
  }
  const kept = tags === undefined ? undefined : readTags(tags, onLeftOut)
  return { agent, ...(version !== undefined && { agentVersion: version }), ...(kept !== undefined && { tags: kept }) }
}

function readTags(tags: unknown, onLeftOut: OnLeftOut): Readonly<Record<string, string>> | undefined {
  const entries = entriesOf(tags)
  if (entries === undefined) {
    const kind = nameKind(tags)
    onLeftOut('tags', `"tags" is ${kind === 'an object' ? 'an object that cannot be read' : kind}, but has to be an object: { user: '42' }`)
    return undefined
  }
  const named = entries.map(([name, value]) => ({ name, value, text: toName(value) }))
  const unnamed = named.filter(({ value, text }) => value !== undefined && text === undefined)
  if (unnamed.length > 0) {
    const each = unnamed.map(({ name, value }) => `"${name}" is ${nameKind(value)}`)
    onLeftOut('tags', `${each.join(', ')}; tags have to be text`)
  }
  return Object.fromEntries(named.flatMap(({ name, text }) => (text === undefined ? [] : [[name, text]])))
}

/** Returns the entries of an object; undefined for anything else, and for an object that cannot be read. */
function entriesOf(value: unknown): [string, unknown][] | undefined {
  return orElse(() => (isJsonObject(value) ? Object.entries(value) : undefined), undefined)
}
