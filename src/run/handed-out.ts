import { runInScope, type Scope } from './scope.ts'

/** What an agent handed out piece by piece, as a trace keeps it. */
export interface HandedOut {
  readonly kind: 'iterable' | 'stream' | 'response'
  /** What it yielded, in order; of a stream its chunks. */
  readonly yielded: readonly unknown[]
  /** Of a response. */
  readonly status?: number
  /** Of a response: its content type. */
  readonly contentType?: string
  /** Whoever was handed it did not read it to its end. */
  readonly left?: true
}

/** How what was handed out came to its end. */
export type HandedOutEnd = { readonly output: HandedOut } | { readonly error: unknown }

/**
 * A run ends when what its agent returned has been consumed. Wraps an async iterable, a ReadableStream or a Response, so that its body runs
 * in the run's scope and its end is known.
 *
 * @returns The wrapped value, or undefined when the value is none of these.
 */
export function wrapHandedOut(value: unknown, scope: Scope, onEnd: (end: HandedOutEnd) => void): { readonly value: unknown } | undefined {
  if (value instanceof Response) return value.body === null ? undefined : { value: wrapResponse(value, value.body, scope, onEnd) }
  if (value instanceof ReadableStream) return { value: wrapStream(value, scope, 'stream', {}, onEnd) }
  if (isAsyncIterable(value)) return { value: wrapIterable(value, scope, onEnd) }
  return undefined
}

/** Reads what was handed out to its end, as whoever gets it in production does. */
export async function drain(value: unknown): Promise<void> {
  const source = value instanceof Response ? value.body : value
  if (!isAsyncIterable(source)) return
  try {
    for await (const _ of source);
  } catch {
    // The wrapper has told of it.
  }
}

function wrapIterable(source: AsyncIterable<unknown>, scope: Scope, onEnd: (end: HandedOutEnd) => void): AsyncIterable<unknown> {
  const yielded: unknown[] = []
  const end = once(onEnd)
  const open = (): AsyncIterator<unknown> => {
    const iterator = runInScope(scope, () => source[Symbol.asyncIterator]())
    const step = async (
      advance: () => Promise<IteratorResult<unknown>> | undefined,
      isLeaving: boolean,
    ): Promise<IteratorResult<unknown>> => {
      try {
        const result = (await runInScope(scope, async () => advance())) ?? { done: true, value: undefined }
        if (isLeaving) end({ output: { kind: 'iterable', yielded, left: true } })
        else if (result.done === true) end({ output: { kind: 'iterable', yielded } })
        else yielded.push(result.value)
        return result
      } catch (error) {
        end({ error })
        throw error
      }
    }
    return {
      next: (...args) => step(() => iterator.next(...args), false),
      return: (value: unknown) => step(() => iterator.return?.(value), true),
      throw: (error: unknown) => step(() => iterator.throw?.(error), true),
    }
  }
  let opened: AsyncIterator<unknown> | undefined
  // Whatever else the object offers stays in reach.
  return new Proxy(source, {
    get(target, key) {
      if (key === Symbol.asyncIterator) return () => (opened ??= open())
      if (key === 'next' || key === 'return' || key === 'throw') return (value: unknown) => (opened ??= open())[key]?.(value)
      const member: unknown = Reflect.get(target, key, target)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

function wrapStream(
  source: ReadableStream<unknown>,
  scope: Scope,
  kind: HandedOut['kind'],
  more: Partial<HandedOut>,
  onEnd: (end: HandedOutEnd) => void,
): ReadableStream<unknown> {
  const yielded: unknown[] = []
  const end = once(onEnd)
  const reader = source.getReader()
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await runInScope(scope, () => reader.read())
          if (done) {
            end({ output: { kind, ...more, yielded } })
            controller.close()
          } else {
            yielded.push(readable(value))
            controller.enqueue(value)
          }
        } catch (error) {
          end({ error })
          controller.error(error)
        }
      },
      async cancel(reason) {
        end({ output: { kind, ...more, yielded, left: true } })
        await runInScope(scope, () => reader.cancel(reason))
      },
    },
    { highWaterMark: 0 },
  )
}

function wrapResponse(response: Response, body: ReadableStream<unknown>, scope: Scope, onEnd: (end: HandedOutEnd) => void): Response {
  const { status, statusText, headers } = response
  const contentType = headers.get('content-type')
  const more = { status, ...(contentType === null ? {} : { contentType }) }
  return new Response(wrapStream(body, scope, 'response', more, onEnd) as ReadableStream<Uint8Array>, { status, statusText, headers })
}

/** A chunk of text as text, so that a person can read it in the trace. */
function readable(chunk: unknown): unknown {
  if (!(chunk instanceof Uint8Array)) return chunk
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(chunk)
  } catch {
    return chunk.slice()
  }
}

function once<Value>(action: (value: Value) => void): (value: Value) => void {
  let isDone = false
  return (value) => {
    if (!isDone) action(value)
    isDone = true
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value && typeof value[Symbol.asyncIterator] === 'function'
}
