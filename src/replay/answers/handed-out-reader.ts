import {
  type HandedOut,
  type HandedOutPart,
  type HandedOutSignal,
  handedOutSignals,
  isAsyncIterable,
} from '../../run/handed-out/handed-out.ts'
import type { Trace } from '../../trace/trace.ts'
import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Writable } from 'node:stream'
import { builtins } from '../../node/builtins.ts'

/** Reads what a replayed agent hands out as it was read in production: the same parts, each piece at the recorded time, and no further. */
export class HandedOutReader {
  readonly #recorded: HandedOut | undefined
  readonly #signals = new Map<string, PromiseWithResolvers<void>>()
  readonly #leaving = new Map<string, HandedOutSignal>()

  /** Whether the recorded responses are described by their headers, which they are since format 3. A fork of an older trace has its descriptions. */
  readonly describesHeaders: boolean

  constructor({ header, rows, end }: Trace) {
    this.#recorded = isHandedOut(end?.output) ? end.output : undefined
    const responses = [this.#recorded, ...(this.#recorded?.parts ?? [])].filter((part) => part?.kind === 'response')
    this.describesHeaders = header.format > 2 && responses.every((part) => part?.headers !== undefined)
    for (const row of rows) {
      if (row.kind !== 'signal' || !isOwnSignal(row.name)) continue
      const value = row.value as HandedOutSignal
      this.#signals.set(keyOf(row.name, value), Promise.withResolvers())
      if (row.name === handedOutSignals.leave) this.#leaving.set(value.part, value)
    }
  }

  /** A recorded signal is due. */
  signal(name: string, value: unknown): void {
    if (isOwnSignal(name)) this.#signals.get(keyOf(name, value as HandedOutSignal))?.resolve()
  }

  async read(value: unknown): Promise<void> {
    const { kind, parts = [], left } = this.#recorded ?? { kind: undefined }
    if (kind === 'object') await Promise.all(parts.map((part) => this.#readPart(part, readingMember(value, part))))
    else await this.#readPart({ name: '', left }, openReading(value))
  }

  async #readPart(
    { name, left }: Pick<HandedOutPart, 'name'> & { readonly left?: true | undefined },
    reading: Reading | undefined,
  ): Promise<void> {
    if (reading === undefined) return
    const leaving = left === true ? this.#leaving.get(name) : undefined
    try {
      for (let count = 1; ; count += 1) {
        if (leaving !== undefined && count > leaving.count) return await this.#leave(reading, leaving)
        await this.#signals.get(keyOf(handedOutSignals.read, { part: name, count }))?.promise
        const piece = reading.next()
        if (leaving?.isWaiting === true && count === leaving.count) {
          piece.catch(() => undefined)
          return await this.#leave(reading, leaving)
        }
        if (await piece) return
      }
    } catch {
      // The watcher of what was handed out has already reported it.
    }
  }

  async #leave(reading: Reading, leaving: HandedOutSignal): Promise<void> {
    await this.#signals.get(keyOf(handedOutSignals.leave, leaving))?.promise
    await reading.leave()
  }
}

function isOwnSignal(name: string): boolean {
  return name === handedOutSignals.read || name === handedOutSignals.leave
}

function keyOf(name: string, { part, count }: HandedOutSignal): string {
  return JSON.stringify([name, part, count])
}

function isHandedOut(output: unknown): output is HandedOut {
  return typeof output === 'object' && output !== null && 'kind' in output && 'yielded' in output && Array.isArray(output.yielded)
}

/** The reading of something that the agent handed out. */
interface Reading {
  /** Reads the next piece. Returns whether the end was reached. */
  next(): Promise<boolean>
  /** Stops reading. */
  leave(): Promise<unknown>
}

/** Begins to read a value; undefined if it is not read piece by piece. */
function openReading(value: unknown): Reading | undefined {
  const source = value instanceof Response ? value.body : value
  if (source instanceof ReadableStream) {
    const reader = source.getReader()
    return { next: async () => (await reader.read()).done, leave: () => reader.cancel() }
  }
  if (isAsyncIterable(source)) {
    const iterator = source[Symbol.asyncIterator]()
    return { next: async () => (await iterator.next()).done === true, leave: async () => iterator.return?.() }
  }
  return undefined
}

/** Begins to read a member of an object, in the way in which it was read in the recording. */
function readingMember(object: unknown, { name, kind }: Pick<HandedOutPart, 'name' | 'kind'>): Reading | undefined {
  if (typeof object !== 'object' || object === null) return undefined
  if (name === '') return openReading(object)
  const member: unknown = Reflect.get(object, name)
  if (typeof member !== 'function') return openReading(member) ?? readingValue(member)
  if (kind === 'written') return readingValue(writeOut((response) => Reflect.apply(member, object, [response])))
  const result: unknown = Reflect.apply(member, object, [])
  return openReading(result) ?? readingValue(result)
}

function readingValue(value: unknown): Reading {
  return { next: async () => (await value, true), leave: async () => undefined }
}

/** Writes to a server response whose output is discarded. */
function writeOut(write: (response: ServerResponse) => void): Promise<void> {
  const response = new builtins.http.ServerResponse(new builtins.http.IncomingMessage(new Socket()))
  response.assignSocket(new Writable({ write: (_piece, _encoding, done) => done() }) as Socket)
  return new Promise((resolve) => {
    response.on('finish', () => {
      response.emit('close')
      resolve()
    })
    write(response)
  })
}
