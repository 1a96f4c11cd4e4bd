import { isErrorObject, readErrorParts, type ErrorParts } from './error-parts.ts'
import { omitUndefined } from './json.ts'
import type { RecordedError } from './rows.ts'

/** A class whose instances are errors. */
export type ErrorClass = abstract new (...parameters: never[]) => Error

/**
 * Converts a thrown value to a form that can be written: name, message, class, `code`, `status`, causes, and the other own enumerable fields, which
 * keep their values (a `Date` stays a `Date`; the encoder writes them). A thrown value that is not an error is kept as `value`. Never throws.
 */
export function toRecordedError(error: unknown): RecordedError {
  return describe(error, [])
}

/**
 * Makes a recorded error throwable again: an error with the same name, message, `code`, `status`, cause and fields, and a new stack. It is an
 * instance of the class of that name if one is in `classes` or built in (`TypeError`, `AggregateError`, `DOMException`); the class's constructor does
 * not run. A thrown value that was not an error is returned as it was.
 */
export function toError(recorded: RecordedError, classes: readonly ErrorClass[] = []): unknown {
  if ('value' in recorded) return recorded.value
  const error = createError(recorded, classes)
  if (recorded.cause !== undefined) defineField(error, 'cause', toError(recorded.cause, classes), false)
  for (const [key, value] of Object.entries(recorded.fields ?? {})) defineField(error, key, value, key !== 'errors')
  return error
}

/**
 * Returns a recorded error with its values and texts changed.
 *
 * @param change Returns the new value of the error's fields or of a thrown value, given its location: `where`, with `.cause` for each cause.
 * @param changeText Returns the new text. Default: the texts stay.
 */
export function mapError(
  error: RecordedError,
  change: (value: unknown, where: string) => unknown,
  changeText: (text: string) => string = (text) => text,
  where: string = '',
): RecordedError {
  const { cause, code, fields, class: className } = error
  return {
    ...error,
    name: changeText(error.name),
    message: changeText(error.message),
    ...(className === undefined ? {} : { class: changeText(className) }),
    ...(typeof code === 'string' ? { code: changeText(code) } : {}),
    ...(cause === undefined ? {} : { cause: mapError(cause, change, changeText, `${where}.cause`) }),
    ...(fields === undefined ? {} : { fields: change(fields, where) as Record<string, unknown> }),
    ...('value' in error ? { value: change(error.value, where) } : {}),
  }
}

/** Creates an error of the right class with name, message, `code` and `status`, without its cause and fields. */
export function createError(
  parts: Pick<ErrorParts, 'name' | 'message' | 'class' | 'code' | 'status'>,
  classes: readonly ErrorClass[] = [],
): Error {
  const className = parts.class ?? parts.name
  const error = construct(className, parts, classes)
  if (error.name !== parts.name) defineField(error, 'name', parts.name, false)
  if (parts.code !== undefined && Reflect.get(error, 'code') !== parts.code) defineField(error, 'code', parts.code, true)
  if (parts.status !== undefined) defineField(error, 'status', parts.status, true)
  return error
}

/** Sets a field of an error, whatever accessors its class has. */
export function defineField(error: Error, key: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(error, key, { value, enumerable, writable: true, configurable: true })
}

const MAX_CAUSES = 16

const LANGUAGE_CLASSES: readonly ErrorClass[] = [Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError]

function describe(error: unknown, seen: readonly unknown[]): RecordedError {
  if (!isErrorObject(error)) return { name: error === null ? 'null' : typeof error, message: preview(error), value: error }
  const { hasCause, cause, fields, ...parts } = readErrorParts(error)
  const chain = [...seen, error]
  const keepsCause = hasCause && chain.length < MAX_CAUSES && !chain.includes(cause)
  return {
    ...omitUndefined(parts),
    ...(keepsCause ? { cause: describe(cause, chain) } : {}),
    ...(fields === undefined ? {} : { fields }),
  }
}

function preview(value: unknown): string {
  try {
    return typeof value === 'object' && value !== null ? (JSON.stringify(value) ?? '') : String(value)
  } catch {
    return Object.prototype.toString.call(value)
  }
}

function construct(className: string, { name, message }: { name: string; message: string }, classes: readonly ErrorClass[]): Error {
  const own = classes.find((candidate) => candidate.name === className) ?? classes.find((candidate) => candidate.name === name)
  // `Reflect.construct` with the class as its target creates a real error with that prototype, and runs none of the class's code.
  if (own !== undefined) return Reflect.construct(Error, [message], own) as Error
  if (className === 'DOMException') return new DOMException(message, name)
  if (className === 'AggregateError') return new AggregateError([], message)
  return Reflect.construct(Error, [message], LANGUAGE_CLASSES.find((candidate) => candidate.name === className) ?? Error) as Error
}
