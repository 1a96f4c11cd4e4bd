import { isUtf8 } from 'node:buffer'
import { isConfiguredCredential, isCredential, textOf } from './redis-credentials.ts'

/** How replies are kept. As in arguments, credentials get names by which redaction recognises them. */
export interface RedisReplies {
  /** A reply as a step keeps it. */
  name(reply: unknown): unknown
  /** A kept reply in its original form. */
  bare(kept: unknown): unknown
}

/** The replies of a command with this verb and these arguments. */
export function repliesOf(verb: string, args: readonly unknown[]): RedisReplies {
  const change = changing(verb, args)
  return change === undefined ? plainReplies : { name: (reply) => change(reply, nameOne), bare: (kept) => change(kept, bareOne) }
}

/** The replies of several commands, which come as a list. */
export function repliesOfBatch(commands: readonly (readonly [verb: string, ...args: unknown[]])[]): RedisReplies {
  const replies = commands.map(([verb, ...args]) => repliesOf(verb, args))
  if (replies.every((each) => each === plainReplies)) return plainReplies
  const each = (list: unknown, form: 'name' | 'bare'): unknown =>
    Array.isArray(list) ? list.map((item: unknown, index) => (replies[index] ?? plainReplies)[form](item)) : list
  return { name: (reply) => each(reply, 'name'), bare: (kept) => each(kept, 'bare') }
}

/** The arguments of a step as the agent gave them. */
export function bareArguments(args: readonly unknown[]): readonly unknown[] {
  return args.map((value) => (Array.isArray(value) ? bareArguments(value) : bareOne(value)))
}

/**
 * Replaces the items of a reply's lists, sets, maps and objects. Other replies are returned unchanged.
 *
 * @param prototype The prototype of objects. Default: the one that they have.
 */
export function mapItems(reply: unknown, toItem: (item: unknown) => unknown, prototype?: object | null): unknown {
  if (Array.isArray(reply)) return reply.map((item: unknown) => toItem(item))
  if (reply instanceof Map) return new Map([...reply].map(([key, value]) => [toItem(key), toItem(value)]))
  if (reply instanceof Set) return new Set([...reply].map((item) => toItem(item)))
  if (typeof reply !== 'object' || reply === null || reply instanceof Error || ArrayBuffer.isView(reply)) return reply
  // Field names are always strings.
  const fields = Object.fromEntries(Object.entries(reply).map(([key, value]) => [key, toItem(value)]))
  return Object.setPrototypeOf(fields, prototype === undefined ? (Object.getPrototypeOf(reply) as object | null) : prototype) as object
}

const plainReplies: RedisReplies = { name: (reply) => reply, bare: (kept) => kept }

/** Changes the credentials in a reply. */
type Change = (reply: unknown, one: (value: unknown) => unknown) => unknown

/** Source: Redis, "Commands". */
function changing(verb: string, args: readonly unknown[]): Change | undefined {
  switch (verb) {
    case 'HGET':
      return isNamed(args[1]) ? (reply, one) => one(reply) : undefined
    case 'GET':
    case 'GETDEL':
    case 'GETEX':
    case 'GETSET':
    case 'SET':
      return isNamed(args[0]) ? (reply, one) => (isOk(reply) ? reply : one(reply)) : undefined
    case 'HMGET':
      return inList(args.slice(1))
    case 'MGET':
      return inList(args)
    case 'HGETEX':
    case 'HGETDEL':
      return inList(args.slice(args.findIndex((value) => textOf(value).toUpperCase() === 'FIELDS') + 2))
    case 'CONFIG':
      return (reply, one) => inPairs(reply, one, isConfiguredCredential)
    case 'HGETALL':
    case 'HSCAN':
    case 'HRANDFIELD':
    case 'XRANGE':
    case 'XREVRANGE':
    case 'XREAD':
    case 'XREADGROUP':
    case 'XCLAIM':
    case 'XAUTOCLAIM':
      return (reply, one) => inPairs(reply, one, isCredential)
    default:
      return undefined
  }
}

function inList(names: readonly unknown[]): Change | undefined {
  if (!names.some(isNamed)) return undefined
  return (reply, one) => (Array.isArray(reply) ? reply.map((value: unknown, index) => (isNamed(names[index]) ? one(value) : value)) : reply)
}

/** Changes credentials in alternating names and values, at any depth. Objects and maps name their values, but redaction does not know all of those names. */
function inPairs(reply: unknown, one: (value: unknown) => unknown, isSecret: (name: string) => boolean): unknown {
  const value = (name: unknown, held: unknown): unknown =>
    isText(name) && isSecret(textOf(name).toUpperCase()) ? one(held) : inPairs(held, one, isSecret)
  if (Array.isArray(reply))
    return reply.map((held: unknown, index) => (index % 2 === 0 ? inPairs(held, one, isSecret) : value(reply[index - 1], held)))
  if (isSecret !== isConfiguredCredential) return reply
  if (reply instanceof Map) return new Map([...reply].map(([name, held]) => [name, value(name, held)]))
  if (typeof reply !== 'object' || reply === null || reply instanceof Error || isText(reply) || isNamedValue(reply)) return reply
  return Object.fromEntries(Object.entries(reply).map(([name, held]) => [name, value(name, held)]))
}

function nameOne(value: unknown): unknown {
  if (typeof value === 'string') return { password: value }
  return value instanceof Uint8Array && isUtf8(value) ? { password: Buffer.from(value).toString(), of: 'bytes' } : value
}

function bareOne(kept: unknown): unknown {
  if (!isNamedValue(kept)) return kept
  return 'of' in kept && typeof kept.password === 'string' ? Buffer.from(kept.password) : kept.password
}

function isNamedValue(value: unknown): value is { readonly password: unknown; readonly of?: 'bytes' } {
  if (typeof value !== 'object' || value === null || !('password' in value)) return false
  return Object.keys(value).every((key) => key === 'password' || key === 'of')
}

function isNamed(name: unknown): boolean {
  return isText(name) && isCredential(textOf(name).toUpperCase())
}

function isText(value: unknown): value is string | Uint8Array {
  return typeof value === 'string' || value instanceof Uint8Array
}

function isOk(reply: unknown): boolean {
  return isText(reply) && textOf(reply) === 'OK'
}
