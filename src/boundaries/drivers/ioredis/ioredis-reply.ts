import { isUtf8 } from 'node:buffer'
import { mapItems } from '../redis/redis-replies.ts'
import type { IoredisCommand } from './ioredis-client.ts'

/**
 * A reply as a step keeps it. The driver's parser returns strings as buffers, and decodes them where the agent wants strings. A step keeps
 * strings, except for bytes that are not UTF-8.
 */
export function toKept(reply: unknown): unknown {
  if (Buffer.isBuffer(reply)) return isUtf8(reply) ? reply.toString() : reply
  // With `stringNumbers` the parser returns numbers as strings; large numbers always.
  if (typeof reply === 'string') return isWhole(reply) ? BigInt(reply) : reply
  return mapItems(reply, toKept, Object.prototype)
}

/** The reply as the driver's parser returns it. */
export function toReply(kept: unknown, toError: (error: Error) => Error): unknown {
  if (typeof kept === 'string') return Buffer.from(kept)
  if (typeof kept === 'bigint') return String(kept)
  if (kept instanceof Uint8Array) return Buffer.from(kept)
  if (kept instanceof Error) return toError(kept)
  return mapItems(kept, (item) => toReply(item, toError), Object.prototype)
}

/** An error without the command's arguments that the driver adds to it: they may be credentials, and the step's input has them anyway. */
export function toKeptError(error: unknown): unknown {
  if (!(error instanceof Error) || !hasCommand(error)) return error
  const command = { value: { name: error.command.name }, enumerable: true, writable: true, configurable: true }
  const fields = { ...Object.getOwnPropertyDescriptors(error), command }
  return Object.create(Object.getPrototypeOf(error) as object, fields)
}

/** The error as the driver makes it. */
export function toOwnError(kept: unknown, { name, args }: IoredisCommand): unknown {
  return kept instanceof Error && hasCommand(kept) ? Object.assign(kept, { command: { name, args } }) : kept
}

function hasCommand(error: Error): error is Error & { readonly command: Pick<IoredisCommand, 'name'> } {
  return 'command' in error && typeof error.command === 'object' && error.command !== null
}

function isWhole(text: string): boolean {
  return /^-?\d{1,400}$/.test(text) && String(BigInt(text)) === text
}
