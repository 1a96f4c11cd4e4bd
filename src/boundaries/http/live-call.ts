import type { ClientRequest } from 'node:http'
import type { AnsweredRun } from '../../run/active-run.ts'
import { type AnsweredScope, runBelow } from '../../run/scope.ts'
import { closeByteStream, createByteStream } from '../../node/byte-stream.ts'
import { hostOf } from '../../http/host-of.ts'
import { type DispatchHandler, watchHandler } from './undici-types.ts'

export const live = { live: 'a live host' }

/** Returns whether a replay's call is really sent. */
export function goesLive(run: AnsweredRun, url: string): boolean {
  return !run.live.isNone && run.live.includes(hostOf(url).address)
}

/** Sends a fetch. The replay waits for its answer, and during each read of the body. */
export async function fetchLive(scope: AnsweredScope, fetch: () => Promise<Response>): Promise<Response> {
  const { run } = scope
  const response = await waitFor(run, () => runBelow(scope, live, fetch))
  for (const name of ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const) {
    const read = (): Promise<unknown> => Response.prototype[name].call(response)
    Object.defineProperty(response, name, { configurable: true, value: () => waitFor(run, () => runBelow(scope, live, read)) })
  }
  let body: ReadableStream | undefined
  const source = response.body
  if (source !== null) Object.defineProperty(response, 'body', { configurable: true, get: () => (body ??= waitedStream(run, source)) })
  return response
}

/** Sends a dispatch; the replay waits until its answer has arrived. */
export function dispatchLive(scope: AnsweredScope, handler: DispatchHandler, go: (handler: DispatchHandler) => boolean): boolean {
  const release = scope.run.live.start()
  const ends: ReadonlySet<string | symbol> = new Set(['onResponseEnd', 'onResponseError', 'onComplete', 'onError'])
  const waited = watchHandler(handler, (name) => {
    if (ends.has(name)) release()
  })
  return runBelow(scope, live, () => go(waited))
}

/** Sends a request; the replay waits until it is closed. */
export function requestLive(scope: AnsweredScope, request: ClientRequest, go: () => void): void {
  const release = scope.run.live.start()
  request.once('close', release)
  runBelow(scope, live, go)
}

async function waitFor<Result>(run: AnsweredRun, happening: () => Promise<Result>): Promise<Result> {
  const release = run.live.start()
  try {
    return await happening()
  } finally {
    release()
  }
}

function waitedStream(run: AnsweredRun, source: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  return createByteStream({
    async pull(controller) {
      const { done, value } = await waitFor(run, () => reader.read())
      if (done) closeByteStream(controller)
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
