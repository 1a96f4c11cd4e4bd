import { runInNewContext } from 'node:vm'

import { expect, it } from 'vitest'

import { toError, toRecordedError, type ErrorClass } from '../../src/trace/recorded-error.ts'
import type { RecordedError } from '../../src/trace/rows.ts'

class ApiError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError'
  static made = 0

  constructor() {
    super(429, 'slow down')
    RateLimitError.made++
  }

  get code(): string {
    return 'rate_limited'
  }
}

const table: readonly [name: string, error: unknown, recorded: RecordedError, classes?: readonly ErrorClass[]][] = [
  ['an error', new Error('no'), { name: 'Error', message: 'no' }],
  ['an error of the language', new RangeError('far'), { name: 'RangeError', message: 'far' }],
  [
    'an aborted call',
    new DOMException('aborted', 'AbortError'),
    { name: 'AbortError', message: 'aborted', class: 'DOMException', code: 20 },
  ],
  ['a timeout', new DOMException('late', 'TimeoutError'), { name: 'TimeoutError', message: 'late', class: 'DOMException', code: 23 }],
  [
    'a system error',
    Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', errno: -111, syscall: 'connect', port: 80 }),
    { name: 'Error', message: 'connect ECONNREFUSED', code: 'ECONNREFUSED', fields: { errno: -111, syscall: 'connect', port: 80 } },
  ],
  ['an error with a number for a code', Object.assign(new Error('no'), { code: 7 }), { name: 'Error', message: 'no', code: 7 }],
  [
    'an error with other things for code and status',
    Object.assign(new Error('no'), { code: ['E'], status: 'gone' }),
    { name: 'Error', message: 'no', fields: { code: ['E'], status: 'gone' } },
  ],
  [
    'a chain of causes',
    new Error('a', { cause: new TypeError('b', { cause: { c: 1 } }) }),
    {
      name: 'Error',
      message: 'a',
      cause: { name: 'TypeError', message: 'b', cause: { name: 'object', message: '{"c":1}', value: { c: 1 } } },
    },
  ],
  [
    'several errors at once',
    new AggregateError([new Error('a')], 'all failed'),
    { name: 'AggregateError', message: 'all failed', fields: { errors: [new Error('a')] } },
  ],
  [
    'an instance of a class that is known',
    new ApiError(404, 'gone'),
    { name: 'Error', message: 'gone', class: 'ApiError', status: 404 },
    [ApiError],
  ],
  [
    'an instance of a class with a getter for its code',
    new RateLimitError(),
    { name: 'RateLimitError', message: 'slow down', code: 'rate_limited', status: 429 },
    [ApiError, RateLimitError],
  ],
]

it.each(table)('takes down and makes again %s', (_name, error, recorded, classes = []) => {
  expect(toRecordedError(error)).toStrictEqual(recorded)
  const again = toError(recorded, classes)
  expect(Object.getPrototypeOf(again)).toBe(Object.getPrototypeOf(error))
  expect(toRecordedError(again)).toStrictEqual(recorded)
  expect(again).not.toBe(error)
})

const thrownValues: readonly [value: unknown, recorded: RecordedError][] = [
  ['boom', { name: 'string', message: 'boom', value: 'boom' }],
  [undefined, { name: 'undefined', message: 'undefined', value: undefined }],
  [null, { name: 'null', message: 'null', value: null }],
  [{ a: 1 }, { name: 'object', message: '{"a":1}', value: { a: 1 } }],
]

it.each(thrownValues)('takes down and gives back what is no error: %o', (value, recorded) => {
  expect(toRecordedError(value)).toStrictEqual(recorded)
  expect(toError(recorded)).toBe(recorded.value)
})

it('takes down a value that cannot be printed', () => {
  expect(toRecordedError(Object.assign(Object.create(null), { a: 1n }))).toMatchObject({ name: 'object', message: '[object Object]' })
})

it('makes an error of an unknown class with its name, fields and a stack of now', () => {
  const made = toError({ name: 'RateLimitError', message: 'slow down', class: 'a', code: 'E', status: 429, fields: { retryAfter: 2 } })
  expect(made).toBeInstanceOf(Error)
  expect(Object.getPrototypeOf(made)).toBe(Error.prototype)
  expect(made).toMatchObject({ name: 'RateLimitError', message: 'slow down', code: 'E', status: 429, retryAfter: 2 })
  expect(String(made)).toBe('RateLimitError: slow down')
  expect((made as Error).stack).toContain('recorded-error.test.ts')
  expect(Object.keys(made as Error)).toStrictEqual(['code', 'status', 'retryAfter'])
})

it('finds the class of a minified one by the name the error gives itself', () => {
  expect(toError({ name: 'RateLimitError', message: 'slow down', class: 't' }, [RateLimitError])).toBeInstanceOf(RateLimitError)
})

it('runs no constructor of the class', () => {
  const before = RateLimitError.made
  toError({ name: 'RateLimitError', message: 'slow down' }, [RateLimitError])
  expect(RateLimitError.made).toBe(before)
})

it('ends a chain of causes that never ends', () => {
  const round = new Error('round')
  round.cause = round
  expect(toRecordedError(round)).toStrictEqual({ name: 'Error', message: 'round' })
  let long = new Error('0')
  for (let index = 1; index < 100; index++) long = new Error(String(index), { cause: long })
  let length = 1
  for (let error = toRecordedError(long); error.cause !== undefined; error = error.cause) length++
  expect(length).toBe(16)
})

it('survives getters that throw', () => {
  const error = Object.defineProperty(new Error('no'), 'code', {
    enumerable: true,
    get() {
      throw new Error('not now')
    },
  })
  expect(toRecordedError(error)).toStrictEqual({ name: 'Error', message: 'no' })
})

it('knows an error of another realm', () => {
  expect(toRecordedError(runInNewContext("new TypeError('no')"))).toStrictEqual({ name: 'TypeError', message: 'no' })
})
