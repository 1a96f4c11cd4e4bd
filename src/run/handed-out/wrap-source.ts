import { withAnyStatus } from '../../http/any-response.ts'
import { cutDigests } from '../../http/digests.ts'
import { withoutLeftOut } from '../../http/left-out-headers.ts'
import { framedHeaders } from '../../http/received-headers.ts'
import { closeByteStream, createByteStream, isByteStream } from '../../node/byte-stream.ts'
import { callUnseen } from '../call-unseen.ts'
import { runInScope, type Scope } from '../scope.ts'
import type { HandedOut } from './handed-out.ts'
import type { Part } from './part.ts'
import { watchQueue } from './watch-queue.ts'

/** Returns a stream that reads `source` in the run's scope. */
export function wrapStream(source: ReadableStream<unknown>, scope: Scope, part: Part): ReadableStream<unknown> {
  const isBytes = isByteStream(source)
  const reader = source.getReader()
  watchQueue(source, () => part.hands())
  const pull = (controller: ReadableStreamController<unknown>): Promise<void> => {
    part.reads()
    const fail = (error: unknown): void => {
      part.fail(error)
      controller.error(error)
    }
    const pass = ({ done, value }: ReadableStreamReadResult<unknown>): void => {
      try {
        if (!done) {
          part.gives(value)
          return controller.enqueue(value as Uint8Array<ArrayBuffer>)
        }
        part.end()
        if (isBytes) closeByteStream(controller as ReadableByteStreamController)
        else controller.close()
      } catch (error) {
        fail(error)
      }
    }
    return callUnseen(() => runInScope(scope, () => reader.read()), pass, fail)
  }
  const cancel = async (reason: unknown): Promise<void> => {
    part.leaves()
    try {
      await runInScope(scope, () => reader.cancel(reason))
    } finally {
      part.end()
    }
  }
  const stream: ReadableStream<unknown> = isBytes
    ? createByteStream({ pull, cancel })
    : new ReadableStream({ pull, cancel }, { highWaterMark: 0 })
  part.endWith(stream)
  return stream
}

/** Returns a response whose body reads the body of `response`. */
export function wrapResponse(response: Response, body: ReadableStream<unknown>, scope: Scope, part: Part): Response {
  const { status, statusText, headers } = response
  const wrapped = wrapStream(body, scope, part) as ReadableStream<Uint8Array>
  return withAnyStatus({ status, statusText, headers }, (init) => new Response(wrapped, init))
}

/** Returns the iterator of `source`, advanced in the run's scope. */
export function wrapIterator(source: AsyncIterable<unknown>, scope: Scope, part: Part): AsyncIterator<unknown> {
  const iterator = runInScope(scope, () => source[Symbol.asyncIterator]())
  const fail = (error: unknown): never => {
    part.fail(error)
    throw error
  }
  const pass = (result: IteratorResult<unknown> = { done: true, value: undefined }): IteratorResult<unknown> => {
    try {
      if (result.done === true) part.end(result.value)
      else part.gives(result.value)
      return result
    } catch (error) {
      return fail(error)
    }
  }
  const advance = (
    step: () => Promise<IteratorResult<unknown>> | undefined,
    told: 'reads' | 'leaves',
  ): Promise<IteratorResult<unknown>> => {
    part[told]()
    return callUnseen(() => runInScope(scope, async () => step()), pass, fail)
  }
  const wrapped: AsyncIterator<unknown> = {
    next: (...args) => advance(() => iterator.next(...args), 'reads'),
    return: (value: unknown) => advance(() => iterator.return?.(value), 'leaves'),
    throw: (error: unknown) => advance(() => iterator.throw?.(error), 'leaves'),
  }
  part.endWith(wrapped)
  return wrapped
}

/** Returns what a trace keeps of a response besides its body. */
export function describeResponse(response: Response, describesHeaders: boolean): ResponseDescription {
  const { status, statusText } = response
  const contentType = response.headers.get('content-type')
  if (!describesHeaders) return { status, ...(contentType === null ? {} : { contentType }) }
  const { headers } = withoutLeftOut({ headers: framedHeaders([...response.headers]) })
  const told = cutDigests(headers.filter(([name]) => name !== 'content-length')).headers
  return { status, ...(statusText === '' ? {} : { statusText }), headers: told }
}

type ResponseDescription = Pick<HandedOut, 'status' | 'statusText' | 'headers' | 'contentType'>
