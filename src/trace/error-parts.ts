import { omitUndefined, setOwn } from './json.ts'
import type { RecordedError } from './rows.ts'
import { orElse } from './or-else.ts'

/** The contents of an error object, except its stack. */
export interface ErrorParts extends Pick<RecordedError, 'name' | 'message' | 'class' | 'code' | 'status'> {
  /** Distinguishes an undefined cause from no cause. */
  readonly hasCause: boolean
  readonly cause: unknown
  /** The other own enumerable fields, and the `errors` of an `AggregateError`; absent if there are none. */
  readonly fields?: Readonly<Record<string, unknown>>
}

/** Returns whether a value is an error, of this realm or another (Jest's sandbox has its own `Error`). */
export function isErrorObject(value: unknown): value is Error {
  if (typeof value !== 'object' || value === null) return false
  if (value instanceof Error) return true
  const tag = Object.prototype.toString.call(value)
  return tag === '[object Error]' || tag === '[object DOMException]'
}

/** Reads the parts of an error. A getter that throws counts as absent: this runs in production. */
export function readErrorParts(error: Error): ErrorParts {
  const name = textOf(read(error, 'name'), 'Error')
  const className = constructorName(error)
  const code = read(error, 'code')
  const status = read(error, 'status')
  const hasCause = Object.hasOwn(error, 'cause')
  const parts = {
    name,
    message: textOf(read(error, 'message'), ''),
    class: className === name ? undefined : className,
    code: isCode(code) ? code : undefined,
    status: isStatus(status) ? status : undefined,
    fields: readFields(error),
  }
  return { ...omitUndefined(parts), hasCause, cause: hasCause ? read(error, 'cause') : undefined }
}

function readFields(error: Error): Record<string, unknown> | undefined {
  const fields: Record<string, unknown> = {}
  for (const key of Object.keys(error)) {
    if (key === 'name' || key === 'message' || key === 'stack' || key === 'cause') continue
    const value = read(error, key)
    if ((key === 'code' && isCode(value)) || (key === 'status' && isStatus(value))) continue
    if (value !== undefined) setOwn(fields, key, value)
  }
  if (Object.hasOwn(error, 'errors')) setOwn(fields, 'errors', read(error, 'errors'))
  return Object.keys(fields).length === 0 ? undefined : fields
}

function read(target: object, key: string): unknown {
  return orElse(() => Reflect.get(target, key) as unknown, undefined)
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise
}

function isCode(value: unknown): value is string | number {
  return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))
}

function isStatus(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function constructorName(error: Error): string | undefined {
  const constructor = read(error, 'constructor')
  return typeof constructor === 'function' && constructor.name !== '' ? constructor.name : undefined
}
