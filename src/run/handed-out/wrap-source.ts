import { runInScope, type Scope } from '../scope.ts'
import type { Part } from './part.ts'

/** Returns a stream that reads `source` in the run's scope. */
export function wrapStream(source: ReadableStream<unknown>, scope: Scope, part: Part): ReadableStream<unknown> {
  const reader = source.getReader()
  const stream = new ReadableStream<unknown>(
    {
      async pull(controller) {
        part.reads()
        try {
          const { done, value } = await runInScope(scope, () => reader.read())
          if (done) {
            part.end()
            controller.close()
          } else {
            part.gives(value)
            controller.enqueue(value)
          }
        } catch (error) {
          part.fail(error)
          controller.error(error)
        }
      },
      async cancel(reason) {
        part.leaves()
        try {
          await runInScope(scope, () => reader.cancel(reason))
        } finally {
          part.end()
        }
      },
    },
    { highWaterMark: 0 },
  )
  part.endWith(stream)
  return stream
}

/** Returns a response whose body reads the body of `response`. */
export function wrapResponse(response: Response, body: ReadableStream<unknown>, scope: Scope, part: Part): Response {
  const { status, statusText, headers } = response
  return new Response(wrapStream(body, scope, part) as ReadableStream<Uint8Array>, { status, statusText, headers })
}

/** Returns the iterator of `source`, advanced in the run's scope. */
export function wrapIterator(source: AsyncIterable<unknown>, scope: Scope, part: Part): AsyncIterator<unknown> {
  const iterator = runInScope(scope, () => source[Symbol.asyncIterator]())
  const advance = async (
    step: () => Promise<IteratorResult<unknown>> | undefined,
    told: 'reads' | 'leaves',
  ): Promise<IteratorResult<unknown>> => {
    part[told]()
    try {
      const result = (await runInScope(scope, async () => step())) ?? { done: true, value: undefined }
      if (result.done === true) part.end(result.value)
      else part.gives(result.value)
      return result
    } catch (error) {
      part.fail(error)
      throw error
    }
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
export function describeResponse({ status, headers }: Response): { readonly status: number; readonly contentType?: string } {
  const contentType = headers.get('content-type')
  return { status, ...(contentType === null ? {} : { contentType }) }
}
