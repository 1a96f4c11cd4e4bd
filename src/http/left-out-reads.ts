import type { AnswerHead } from './answer-head.ts'

/** What is known about the headers that an answer lacks. */
type LeftOut = Pick<AnswerHead, 'leftOut' | 'onLeftOut'>

/** Notices when the agent asks a fetch's headers for one that was left out. */
export function watchHeaders(headers: Headers, { leftOut, onLeftOut }: LeftOut): void {
  if (leftOut === undefined || onLeftOut === undefined) return
  const names = new Set(leftOut)
  for (const method of ['get', 'has'] as const) {
    const original = headers[method].bind(headers)
    const value = (name: unknown): unknown => {
      const lower = String(name).toLowerCase()
      if (names.has(lower)) onLeftOut(lower)
      return original(name as string)
    }
    Object.defineProperty(headers, method, { configurable: true, writable: true, value })
  }
}

/** Notices when the agent reads a header that was left out from headers by name. They are not listed among the properties. */
export function watchRecord(headers: object, { leftOut, onLeftOut }: LeftOut): void {
  if (leftOut === undefined || onLeftOut === undefined) return
  for (const name of leftOut) {
    Object.defineProperty(headers, name, {
      configurable: true,
      enumerable: false,
      get: () => onLeftOut(name),
      set: (value: unknown) => {
        Object.defineProperty(headers, name, { configurable: true, enumerable: true, writable: true, value })
      },
    })
  }
}
