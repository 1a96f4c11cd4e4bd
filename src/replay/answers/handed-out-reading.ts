import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Writable } from 'node:stream'
import { builtins } from '../../node/builtins.ts'
import { type HandedOutPart, isAsyncIterable } from '../../run/handed-out/handed-out.ts'

/** The reading of something that was handed out. */
export interface Reading {
  /** Reads the next piece. Returns whether it was the end. */
  next(): Promise<boolean>
  /** Reads no further. */
  leave(): Promise<unknown>
}

/** Begins to read; undefined if the value is not read piece by piece. */
export function openReading(value: unknown): Reading | undefined {
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

/** Begins to read a member of an object, as it was read in the recording. */
export function readingMember(object: unknown, { name, kind }: Pick<HandedOutPart, 'name' | 'kind'>): Reading | undefined {
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

/** Writes to a server response that goes nowhere. */
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
