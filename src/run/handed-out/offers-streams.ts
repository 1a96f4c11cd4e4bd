import { isAsyncIterable, looksLike } from './handed-out.ts'

/**
 * Whether a value is an object whose members are streams: `{ stream, id }`, or the result of the AI SDK's `streamText`. The latter's
 * streams are getters with side effects, so they are recognized by name.
 */
export function offersStreams(value: unknown): value is object {
  return looksLike(() => hasStreams(value))
}

function hasStreams(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const isPlain = isPlainObject(value)
  for (
    let home: unknown = value;
    typeof home === 'object' && home !== null && home !== Object.prototype;
    home = Object.getPrototypeOf(home)
  ) {
    for (const [name, { value: held, get }] of Object.entries(Object.getOwnPropertyDescriptors(home))) {
      if (get !== undefined && /stream$/i.test(name)) return true
      if (isPlain && isSource(held)) return true
    }
  }
  return false
}

/** Whether a value is handed out piece by piece. */
export function isSource(value: unknown): value is Response | ReadableStream<unknown> | AsyncIterable<unknown> {
  return looksLike(() => (value instanceof Response ? value.body !== null : isAsyncIterable(value)))
}

/** Whether a value is not an instance of a class. */
export function isPlainObject(value: object): boolean {
  return looksLike(() => {
    const prototype: unknown = Object.getPrototypeOf(value)
    return prototype === Object.prototype || prototype === null
  })
}
