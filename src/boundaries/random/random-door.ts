import crypto from 'node:crypto'
import { currentScope, type Scope } from '../../run/scope.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'

type Uuid = `${string}-${string}-${string}-${string}-${string}`

/** `Math.random()`, and of both cryptos: `randomUUID`, `getRandomValues`, `randomBytes`, `randomFillSync`, `randomInt`. */
export function randomDoor(): Restore {
  return combine(mathDoor(), webCryptoDoor(), nodeCryptoDoor())
}

function mathDoor(): Restore {
  return replaceProperty(Math, 'random', (realRandom) => () => {
    const scope = currentScope()
    return scope === undefined ? realRandom() : scope.run.readRandom(scope.owner, realRandom)
  })
}

function webCryptoDoor(): Restore {
  const uuid = replaceProperty(Crypto.prototype, 'randomUUID', (real) => {
    return function randomUUID(this: Crypto): Uuid {
      const scope = currentScope()
      return scope === undefined ? real.call(this) : (scope.run.readUuid(scope.owner, () => real.call(this)) as Uuid)
    }
  })
  const values = replaceProperty(Crypto.prototype, 'getRandomValues', (real) => {
    return function getRandomValues<Target extends Exclude<BufferSource, ArrayBuffer>>(this: Crypto, array: Target): Target {
      const scope = currentScope()
      if (scope === undefined) return Reflect.apply(real, this, [array])
      fill(scope, array, () => Reflect.apply(real, this, [array]))
      return array
    }
  })
  return combine(uuid, values)
}

function nodeCryptoDoor(): Restore {
  const uuid = replaceProperty(crypto, 'randomUUID', (real) => (options) => {
    const scope = currentScope()
    return scope === undefined ? real(options) : (scope.run.readUuid(scope.owner, () => real(options)) as Uuid)
  })
  const fillSync = replaceProperty(crypto, 'randomFillSync', (real) => {
    return function randomFillSync<T extends NodeJS.ArrayBufferView>(buffer: T, offset: number = 0, size?: number): T {
      const scope = currentScope()
      if (scope === undefined) return real(buffer, offset, size)
      // Offset and size count elements, not bytes.
      const width = 'BYTES_PER_ELEMENT' in buffer ? Number(buffer.BYTES_PER_ELEMENT) : 1
      const end = size === undefined ? buffer.byteLength : (offset + size) * width
      fill(scope, bytesOf(buffer).subarray(offset * width, end), () => real(buffer, offset, size))
      return buffer
    }
  })
  return combine(uuid, fillSync, randomBytesDoor(), randomIntDoor())
}

function randomBytesDoor(): Restore {
  return replaceProperty(crypto, 'randomBytes', (real) => {
    function randomBytes(size: number): NonSharedBuffer
    function randomBytes(size: number, callback: (error: Error | null, bytes: NonSharedBuffer) => void): void
    function randomBytes(size: number, callback?: (error: Error | null, bytes: NonSharedBuffer) => void): NonSharedBuffer | void {
      const scope = currentScope()
      if (scope === undefined) return callback === undefined ? real(size) : real(size, callback)
      const bytes = Buffer.from(scope.run.readBytes(scope.owner, size, () => real(size)))
      if (callback === undefined) return bytes
      setImmediate(callback, null, bytes)
    }
    return randomBytes
  })
}

function randomIntDoor(): Restore {
  return replaceProperty(crypto, 'randomInt', (real) => {
    type Callback = (error: Error | null, value: number) => void
    function randomInt(...args: [first: number, second?: number | Callback, callback?: Callback]): number | void {
      const scope = currentScope()
      if (scope === undefined) return Reflect.apply(real, crypto, args)
      const callback = args.find((argument) => typeof argument === 'function')
      const [first, second] = args
      const [min, max] = typeof second === 'number' ? [first, second] : [0, first]
      const value = Math.floor(scope.run.readRandom(scope.owner, () => (real(min, max) - min + 0.5) / (max - min)) * (max - min)) + min
      if (callback === undefined) return value
      setImmediate(callback, null, value)
    }
    return randomInt as typeof real
  })
}

function fill(scope: Scope, target: ArrayBufferView | ArrayBufferLike, real: () => void): void {
  const view = bytesOf(target)
  const drawn = scope.run.readBytes(scope.owner, view.length, () => {
    real()
    return view.slice()
  })
  view.set(drawn)
}

function bytesOf(source: ArrayBufferView | ArrayBufferLike): Uint8Array {
  return ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source)
}
