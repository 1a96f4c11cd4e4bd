import type { RedisConnection } from './redis-connection.ts'

/** The keys of a store, in one slot of a cluster. */
export class RedisKeys {
  readonly #base: string

  constructor(prefix: string) {
    this.#base = `{${prefix}}:`
  }

  get logs(): string {
    return `${this.#base}logs`
  }

  get ids(): string {
    return `${this.#base}ids`
  }

  get entries(): string {
    return `${this.#base}entries`
  }

  get summaries(): string {
    return `${this.#base}summaries`
  }

  get flags(): string {
    return `${this.#base}flags`
  }

  pieces(id: string): string {
    return `${this.#base}pieces:${id}`
  }

  term(term: string): string {
    return `${this.#base}term:${term}`
  }

  lease(name: string): string {
    return `${this.#base}lease:${name}`
  }
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
