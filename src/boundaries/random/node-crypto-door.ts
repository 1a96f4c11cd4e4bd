import { currentScope } from '../../run/scope.ts'
import { captureStack } from '../../run/stack.ts'
import { builtins } from '../../node/builtins.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { bytesToFill, drawInto } from './draw-bytes.ts'

type BytesCallback = (error: Error | null, bytes: NonSharedBuffer) => void
type FillCallback = (error: Error | null, filled: unknown) => void

/** Older names of `randomBytes`. */
type OtherNames = Record<'pseudoRandomBytes' | 'prng' | 'rng', typeof builtins.crypto.randomBytes>

/** The longest draw that Node supports, in bytes. */
const maximumSize = 2 ** 31 - 1

/** `node:crypto`: `randomUUID`, `randomUUIDv7`, `randomFillSync`, `randomFill`, `randomBytes` and its other names. */
export function nodeCryptoDoor(): Restore {
  const { randomFillSync } = builtins.crypto
  const bytes = (['randomBytes', 'pseudoRandomBytes', 'prng', 'rng'] as const).filter((name) => name in builtins.crypto)
  return combine(
    replaceProperty(builtins.crypto, 'randomUUID', identifyDoor),
    // Node 24.21 and newer.
    'randomUUIDv7' in builtins.crypto ? replaceProperty(builtins.crypto, 'randomUUIDv7', identifyDoor) : () => undefined,
    replaceProperty(builtins.crypto, 'randomFillSync', fillSyncDoor),
    replaceProperty(builtins.crypto, 'randomFill', (real) => fillDoor(real, randomFillSync)),
    ...bytes.map((name) => replaceProperty(builtins.crypto as typeof builtins.crypto & OtherNames, name, bytesDoor)),
  )
}

function identifyDoor<Options, Id extends string>(real: (options?: Options) => Id): (options?: Options) => Id {
  return (options) => {
    const scope = currentScope()
    // Node itself refuses invalid options.
    if (scope === undefined || (options !== undefined && (typeof options !== 'object' || options === null))) return real(options)
    return scope.run.readUuid(scope.owner, () => real(options)) as Id
  }
}

function fillSyncDoor(real: typeof builtins.crypto.randomFillSync): typeof builtins.crypto.randomFillSync {
  return function randomFillSync<T extends NodeJS.ArrayBufferView>(buffer: T, offset?: number, size?: number): T {
    const scope = currentScope()
    const target = scope === undefined ? undefined : bytesToFill(buffer, offset, size)
    if (scope === undefined || target === undefined || isForMasks(target)) return real(buffer, offset, size)
    drawInto(scope, target, () => real(buffer, offset, size))
    return buffer
  }
}

/**
 * Returns whether bytes are drawn to mask WebSocket frames, which several runs share. Source: ws 8.23, lib/sender.js, and undici 8,
 * lib/web/websocket/frame.js: both draw 8 KiB at once.
 */
function isForMasks({ length }: Uint8Array): boolean {
  return length === 8192 && /\bgenerateMask\b|\bSender\.frame\b|[\\/]ws[\\/]lib[\\/]sender/.test(captureStack().stack)
}

/** In a run, draws the bytes immediately, so that draws keep their order, and delivers them in a later turn of the event loop. */
function fillDoor(
  real: typeof builtins.crypto.randomFill,
  fillSync: typeof builtins.crypto.randomFillSync,
): typeof builtins.crypto.randomFill {
  const randomFill = (buffer: NodeJS.ArrayBufferView, ...rest: [...range: number[], callback: FillCallback]): void => {
    const scope = currentScope()
    const callback = rest.at(-1)
    const [offset, size] = rest.slice(0, -1)
    const target = scope === undefined ? undefined : bytesToFill(buffer, offset, size)
    if (scope === undefined || target === undefined || typeof callback !== 'function')
      return Reflect.apply(real, builtins.crypto, [buffer, ...rest])
    drawInto(scope, target, () => fillSync(target))
    setImmediate(callback, null, buffer)
  }
  return randomFill
}

function bytesDoor(real: typeof builtins.crypto.randomBytes): typeof builtins.crypto.randomBytes {
  function randomBytes(size: number): NonSharedBuffer
  function randomBytes(size: number, callback: BytesCallback): void
  function randomBytes(size: number, callback?: BytesCallback): NonSharedBuffer | void {
    const scope = currentScope()
    const isRefused = !isSize(size) || (callback !== undefined && typeof callback !== 'function')
    if (scope === undefined || isRefused) return callback === undefined ? real(size) : real(size, callback)
    const bytes = Buffer.from(scope.run.readBytes(scope.owner, Math.trunc(size), () => real(size)))
    if (callback === undefined) return bytes
    setImmediate(callback, null, bytes)
  }
  return randomBytes
}

function isSize(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= maximumSize
}

type Callback = (error: Error | null, value: number) => void

/** `crypto.randomInt()`. The draw is recorded as a number between 0 and 1, so that a replay stays within a changed range. */
export function randomIntDoor(): Restore {
  return replaceProperty(builtins.crypto, 'randomInt', (real) => {
    const randomInt = (...args: [first: number, second?: number | Callback, callback?: Callback]): number | void => {
      const scope = currentScope()
      const [first, second] = args
      const [min, max] = typeof second === 'number' ? [first, second] : [0, first]
      const callback = typeof second === 'number' ? args[2] : second
      if (scope === undefined || !isAccepted(min, max, callback)) return Reflect.apply(real, builtins.crypto, args)
      const range = max - min
      // Uses the middle of the number's share, so that rounding cannot leave it.
      const drawn = scope.run.readRandom(scope.owner, () => (real(min, max) - min + 0.5) / range)
      const value = Math.floor(drawn * range) + min
      if (callback === undefined) return value
      setImmediate(callback, null, value)
    }
    return randomInt as typeof real
  })
}

/** Returns whether Node accepts these arguments; otherwise Node itself refuses them. */
function isAccepted(min: unknown, max: unknown, callback: unknown): boolean {
  if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max)) return false
  const range = Number(max) - Number(min)
  return range > 0 && range < 2 ** 48 && (callback === undefined || typeof callback === 'function')
}
