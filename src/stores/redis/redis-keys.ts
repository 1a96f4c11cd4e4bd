import type { RedisConnection } from './redis-connection.ts'

/** What a key is called within its store; `redis-scripts.ts` says what is there. */
export type KeyName = 'logs' | 'ids' | 'entries' | 'summaries' | 'flags' | `pieces:${string}` | `term:${string}` | `lease:${string}`

/** The keys of a store by their names, in one slot of a cluster. */
export type RedisKeys = (name: KeyName) => string

/** The keys of the store with a prefix. */
export function createKeys(prefix: string): RedisKeys {
  return (name) => `{${prefix}}:${name}`
}

/** Runs a script on one key. */
export async function runScript(
  connection: RedisConnection,
  script: string,
  key: string,
  ...args: readonly (string | Buffer)[]
): Promise<unknown> {
  return connection.send('EVAL', script, '1', key, ...args)
}

/** An answer that is a list. */
export function toList(answer: unknown): unknown[] {
  return Array.isArray(answer) ? answer : []
}

/** An answer that is bytes; undefined if there is none. */
export function toBytes(answer: unknown): Buffer | undefined {
  if (answer instanceof Uint8Array) return Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength)
  return typeof answer === 'string' ? Buffer.from(answer, 'latin1') : undefined
}

/** The same as text. */
export function toText(answer: unknown): string | undefined {
  return toBytes(answer)?.toString('utf8')
}
