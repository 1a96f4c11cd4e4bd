import type { RedisArgument, RedisConnection } from './redis-connection.ts'

/** The name of a key within its store; `redis-scripts.ts` describes what it holds. */
export type KeyName = 'logs' | 'ids' | 'entries' | 'summaries' | 'flags' | `pieces:${string}` | `term:${string}` | `lease:${string}`

/** The keys of a store, in the Redis of its connection. */
export interface RedisKeys extends Pick<RedisConnection, 'send'> {
  /** Returns the key for a name. All keys of a store are in one slot of a cluster. */
  of(name: KeyName): string
  /** Runs a script on one key. */
  run(script: string, name: KeyName, ...args: readonly RedisArgument[]): Promise<unknown>
}

/** Creates the keys of the store with a prefix. */
export function createKeys({ send }: RedisConnection, prefix: string): RedisKeys {
  const of = (name: KeyName): string => `{${prefix}}:${name}`
  return { send, of, run: (script, name, ...args) => send('EVAL', script, '1', of(name), ...args) }
}

/** Converts an answer to a list. */
export function toList(answer: unknown): unknown[] {
  return Array.isArray(answer) ? answer : []
}

/** Converts an answer to bytes; undefined if there is none. */
export function toBytes(answer: unknown): Buffer | undefined {
  if (answer instanceof Uint8Array) return Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength)
  return typeof answer === 'string' ? Buffer.from(answer, 'latin1') : undefined
}

/** Converts an answer to text; undefined if there is none. */
export function toText(answer: unknown): string | undefined {
  return toBytes(answer)?.toString('utf8')
}
