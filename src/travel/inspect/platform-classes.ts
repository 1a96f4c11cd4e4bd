import { ClientRequest, IncomingMessage, OutgoingMessage, ServerResponse } from 'node:http'
import { RunTimeout } from '../../boundaries/timer/run-timeout.ts'
import { classesOf, functionName, tagOf } from './intrinsics.ts'

/**
 * Whether an object is of a class of the web platform or of Node's HTTP. Its internals are not the agent's, and contain headers that no recording
 * has.
 */
export function isOfPlatform(value: object): boolean {
  const [made] = classesOf(value)
  return made !== undefined && isPlatformClass(made)
}

/** Whether a class belongs to the platform. The npm package undici has classes with the same names, and with the tags that the standard requires. */
export function isPlatformClass(made: object): boolean {
  if (classes.has(made)) return true
  const name = functionName(made)
  return NAMES.has(name) && tagOf(made) === name
}

const NAMES: ReadonlySet<string> = new Set([
  'AbortController',
  'AbortSignal',
  'Blob',
  'CompressionStream',
  'DecompressionStream',
  'Event',
  'EventTarget',
  'File',
  'FormData',
  'Headers',
  'MessageChannel',
  'MessagePort',
  'ReadableStream',
  'Request',
  'Response',
  'TextDecoder',
  'TextEncoder',
  'TransformStream',
  'URL',
  'URLSearchParams',
  'WritableStream',
])

/** Taken before the agent can replace them. */
const classes: ReadonlySet<object> = new Set<object>([
  ...Object.entries(Object.getOwnPropertyDescriptors(globalThis)).flatMap(([name, { value }]) =>
    NAMES.has(name) && typeof value === 'function' ? [value as object] : [],
  ),
  Headers,
  Request,
  Response,
  FormData,
  ClientRequest,
  IncomingMessage,
  OutgoingMessage,
  ServerResponse,
  // Node's `Timeout`, which a run's timers are too.
  RunTimeout.prototype.constructor,
])
