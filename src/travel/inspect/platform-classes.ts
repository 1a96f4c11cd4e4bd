import { ClientRequest, IncomingMessage, OutgoingMessage, ServerResponse } from 'node:http'
import { RunTimeout } from '../../boundaries/timer/run-timeout.ts'
import { classesOf, functionName, tagOf } from './intrinsics.ts'

/**
 * Whether an object is of a class of the web platform or of Node's HTTP: what it keeps inside is not the agent's, and holds headers that no
 * recording has.
 */
export function isOfPlatform(value: object): boolean {
  const [made] = classesOf(value)
  return made !== undefined && isPlatformClass(made)
}

/** Whether a class is one of the platform's. The npm package undici has classes of the same names, with the tags that the standard wants. */
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
  // A timer of a run: Node's own is a `Timeout`.
  RunTimeout,
])
