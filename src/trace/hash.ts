import stableStringify from 'fast-json-stable-stringify'
import { isJsonArray, isJsonObject, mapFields, type Json } from './json.ts'
import type { CheckpointRow, RecordedError } from './rows.ts'
import type { Step } from './trace.ts'
import { toRecorded } from './values.ts'
import { writeValue } from './value-writer.ts'

/** Returns the SHA-256 of a text's UTF-8, as hex. Passed in, so that `trace/` runs where `node:crypto` is missing. */
export type Digest = (text: string) => string

/** The parts that a trace hash covers. A replay collects the same parts from what it saw. */
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

/** The hashed fields of a call. */
export type HashedStep = Pick<Step, 'step' | 'owner' | 'boundary' | 'name' | 'input'>

/** The hashed fields of a checkpoint. */
export interface HashedCheckpoint extends Pick<CheckpointRow, 'owner' | 'name' | 'state'> {
  /** How many steps of its owner had settled before it. */
  readonly settled: number
}

/** The hashed fields of a settling: an error, or else an output (for HTTP steps: status, headers and the whole body). */
export type HashedSettling = Pick<Step, 'step' | 'output' | 'error'>

/** Returns a text that is equal for equal values, whatever the order of their fields. */
export function canonical(value: unknown): string {
  return stableStringify(toRecorded(value))
}

/**
 * Returns the hash of what a run did: its calls by number, the order and results in which they settled, its checkpoints with their places, and its
 * outcome. Name, message, `code` and `status` of an error count. Pass a `memo` only if the parts' values never change; the same memo may then serve
 * any number of hashes.
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

/** Replaces each array that contains objects by one digest, so that a resent conversation costs only its new messages. */
function condense(json: Json, digest: Digest, memo: DigestMemo): Json {
  if (isJsonArray(json))
    return json.some((item) => typeof item === 'object' && item !== null) ? { $: { chain: chainOf(json, digest, memo) } } : json
  if (!isJsonObject(json)) return json
  return mapFields(json, (field) => condense(field, digest, memo))
}

/** Each link is the digest of the previous link and its item: arrays with the same first items share their first links. */
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

/** Caches digests of values that never change, by identity: the rows of a trace share the messages of its conversations. */
interface DigestMemo {
  /** Digests of objects in arrays. */
  readonly items: WeakMap<object, string>
  /** Digests of arrays, by their items. */
  readonly chain: ChainLink
}

/** The digest of an array's first items. */
interface ChainLink {
  readonly digest: string
  /** Returns the link with one more item, computed on first use. */
  next(item: unknown, digest: () => string): ChainLink
}

/** Creates an empty memo. */
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
