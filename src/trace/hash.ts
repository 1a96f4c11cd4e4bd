import stableStringify from 'fast-json-stable-stringify'
import { isJsonArray, isJsonObject, mapFields, type Json } from './json.ts'
import type { CheckpointRow, RecordedError } from './rows.ts'
import type { Step } from './trace.ts'
import { toRecorded } from './values.ts'
import { writeValue } from './value-writer.ts'

/** SHA-256 of a text's UTF-8, as hex. Passed in, so that `trace/` runs where there is no `node:crypto`. */
export type Digest = (text: string) => string

/** What a trace hash is made of. A replay makes the same of what it saw. */
export interface HashParts {
  /** By step number. */
  readonly steps: readonly HashedStep[]
  /** In the order in which they settled. */
  readonly settled: readonly HashedSettling[]
  /** In the order in which they were reached. */
  readonly checkpoints: readonly HashedCheckpoint[]
  /** Absent when the run did not end. */
  readonly outcome?: { readonly output: unknown } | { readonly error: RecordedError }
}

/** A call as the hash sees it. */
export type HashedStep = Pick<Step, 'step' | 'owner' | 'boundary' | 'name' | 'input'>

/** A checkpoint as the hash sees it. */
export interface HashedCheckpoint extends Pick<CheckpointRow, 'owner' | 'name' | 'state'> {
  /** How many steps of its owner had settled before it. */
  readonly settled: number
}

/** A settling as the hash sees it: with an error, or else with an output (for HTTP steps: status, headers and the whole body). */
export interface HashedSettling {
  readonly step: number
  readonly output?: unknown
  readonly error?: RecordedError
}

/** A value as text that is equal for equal values, whatever the order of their fields. */
export function canonical(value: unknown): string {
  return stableStringify(toRecorded(value))
}

/**
 * The hash of what a run did: its calls by number, the order and the results of their settling, its checkpoints with their places, its outcome. An error counts by
 * name, message, `code` and `status`. Pass a `memo` only if what the parts hold is never changed; it may then serve any number of hashes.
 */
export function traceHash(parts: HashParts, digest: Digest, memo: DigestMemo = createDigestMemo()): string {
  const print = (value: unknown): string =>
    stableStringify(condense(writeValue(value, { share: true, known: memo.items }).json, digest, memo))
  const result = (settling: Omit<HashedSettling, 'step'>): string =>
    settling.error === undefined ? `returned ${print(settling.output)}` : `threw ${print(identityOf(settling.error))}`
  const lines = [
    ...parts.steps
      .toSorted((a, b) => a.step - b.step)
      .map(({ step, owner, boundary, name, input }) => `step ${step} ${owner} ${boundary} ${JSON.stringify(name)} ${print(input)}`),
    ...parts.settled.map((settling) => `settled ${settling.step} ${result(settling)}`),
    ...parts.checkpoints.map(({ owner, name, state, settled }) => `checkpoint ${owner} ${JSON.stringify(name)} ${settled} ${print(state)}`),
    parts.outcome === undefined ? 'unfinished' : `outcome ${result(parts.outcome)}`,
  ]
  return digest(lines.join('\n'))
}

/** Arrays with objects in them as one digest each, so that a conversation that is resent costs its new messages and not all. */
function condense(json: Json, digest: Digest, memo: DigestMemo): Json {
  if (isJsonArray(json))
    return json.some((item) => typeof item === 'object' && item !== null) ? { $: { chain: chainOf(json, digest, memo) } } : json
  if (!isJsonObject(json)) return json
  return mapFields(json, (field) => condense(field, digest, memo))
}

/** Each link is the digest of the link before and its item: arrays with the same first items share their first links. */
function chainOf(items: readonly Json[], digest: Digest, memo: DigestMemo): string {
  let link: ChainLink = memo.chain
  for (const item of items) {
    const last = link
    link = last.next(item, () => digest(`${last.digest}\n${digestOf(item, digest, memo)}`))
  }
  return link.digest
}

function digestOf(item: Json, digest: Digest, memo: DigestMemo): string {
  if (typeof item !== 'object' || item === null) return JSON.stringify(item)
  const known = memo.items.get(item)
  if (known !== undefined) return known
  const digested = digest(stableStringify(item))
  memo.items.set(item, digested)
  return digested
}

function identityOf({ name, message, code, status, ...rest }: RecordedError): Readonly<Record<string, unknown>> {
  return { name, message, code, status, ...('value' in rest ? { value: rest.value } : {}) }
}

/** Remembers digests of values that never change, by identity: the messages of a trace's conversations are shared by its rows. */
interface DigestMemo {
  /** Of objects in arrays. */
  readonly items: WeakMap<object, string>
  /** Of arrays, by their items. */
  readonly chain: ChainLink
}

/** The digest of an array's first items. */
interface ChainLink {
  readonly digest: string
  /** The link with one item more, computed when it is first asked for. */
  next(item: unknown, digest: () => string): ChainLink
}

/** A memo that knows nothing yet. */
export function createDigestMemo(): DigestMemo {
  return { items: new WeakMap(), chain: createLink('') }
}

function createLink(digest: string): ChainLink {
  const afterObjects = new WeakMap<object, ChainLink>()
  const afterPrimitives = new Map<unknown, ChainLink>()
  return {
    digest,
    next(item, digestNext) {
      const isObject = typeof item === 'object' && item !== null
      const known = isObject ? afterObjects.get(item) : afterPrimitives.get(item)
      if (known !== undefined) return known
      const link = createLink(digestNext())
      if (isObject) afterObjects.set(item, link)
      else afterPrimitives.set(item, link)
      return link
    },
  }
}
