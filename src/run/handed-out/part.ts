import { isUint8Array } from 'node:util/types'
import type { HandedOutPart, HandedOutWatcher } from './handed-out.ts'

/** The facts known about a part before it is read. */
export type PartDescription = Pick<HandedOutPart, 'name' | 'kind' | 'status' | 'statusText' | 'headers' | 'contentType'>

/** How a part ended. */
export type PartEnd = { readonly part: HandedOutPart } | { readonly error: unknown }

/** Reports readers that have become unreachable and so will no longer read. */
export const dropped: FinalizationRegistry<() => void> = new FinalizationRegistry((leave) => leave())

/** A part of a handed-out value that is read. */
export class Part {
  readonly #description: PartDescription
  readonly #watcher: HandedOutWatcher
  readonly #onEnd: (end: PartEnd) => void
  readonly #yielded: unknown[] = []
  #reads = 0
  #given = 0
  #handed = 0
  #isLeft = false
  #isOver = false

  constructor(description: PartDescription, watcher: HandedOutWatcher, onEnd: (end: PartEnd) => void) {
    this.#description = description
    this.#watcher = watcher
    this.#onEnd = onEnd
  }

  get name(): string {
    return this.#description.name
  }

  reads(): void {
    if (this.#isOver) return
    this.#reads += 1
    this.#watcher.reads(this.#description.name, this.#reads)
  }

  /** The run gave a piece. */
  hands(): void {
    if (this.#isOver) return
    this.#handed += 1
    this.#watcher.hands(this.#description.name)
  }

  /** A piece is delivered. */
  gives(item: unknown): void {
    if (this.#isOver) return
    this.#yielded.push(readable(item))
    this.#given += 1
    // Most sources do not show when they give a piece before it is read.
    if (this.#given > this.#handed) this.hands()
    this.#watcher.gives(this.#description.name)
  }

  /** Called before the agent is notified. */
  leaves(): void {
    if (this.#isLeft || this.#isOver) return
    this.#isLeft = true
    this.#watcher.leaves(this.#description.name, this.#reads, this.#given < this.#reads)
  }

  /** @param returned The return value of a generator. */
  end(returned?: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    const left = this.#isLeft
    this.#onEnd({
      part: {
        ...this.#description,
        yielded: this.#yielded,
        ...(returned === undefined || left ? {} : { returned }),
        ...(left ? { left } : {}),
      },
    })
  }

  /** Leaves it out if it has not been read. Returns whether it is left out. */
  skip(): boolean {
    if (this.#isOver || this.#reads > 0) return false
    this.#isOver = true
    return true
  }

  fail(error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#onEnd({ error })
  }

  /** Ends the part when its reader's `handle` is dropped, unless a different handle has replaced it. */
  endWith(handle: object, isReplaced: () => boolean = () => false): void {
    dropped.register(handle, () => {
      if (isReplaced()) return
      this.leaves()
      this.end()
    })
  }
}

/**
 * Keeps a chunk of text as text, so that the trace is readable. Leaves out response headers, which the AI SDK includes in its full stream:
 * they belong to the transport, of which a trace keeps little.
 */
function readable(chunk: unknown): unknown {
  if (!isUint8Array(chunk)) return hasAnswerHeaders(chunk) ? { ...chunk, response: { ...chunk.response, headers: undefined } } : chunk
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(chunk)
  } catch {
    return chunk.slice()
  }
}

function hasAnswerHeaders(chunk: unknown): chunk is { readonly response: object } {
  if (typeof chunk !== 'object' || chunk === null || !('response' in chunk)) return false
  return typeof chunk.response === 'object' && chunk.response !== null && 'headers' in chunk.response
}
