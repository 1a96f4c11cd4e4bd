import { types } from 'node:util'
import { currentScope, type Scope } from '../../run/scope.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { bytesToFill, drawInto } from './draw-bytes.ts'

type Uuid = `${string}-${string}-${string}-${string}-${string}`

/** `crypto.randomUUID()` and `crypto.getRandomValues()`, of the global and of `node:crypto`'s `webcrypto`. */
export function webCryptoDoor(): Restore {
  const uuid = replaceProperty(Crypto.prototype, 'randomUUID', (real) => {
    return function randomUUID(this: Crypto): Uuid {
      const scope = scopeOf(this)
      return scope === undefined ? real.call(this) : (scope.run.readUuid(scope.owner, () => real.call(this)) as Uuid)
    }
  })
  const values = replaceProperty(Crypto.prototype, 'getRandomValues', (real) => {
    return function getRandomValues<Target extends Exclude<BufferSource, ArrayBuffer>>(this: Crypto, array: Target): Target {
      const scope = scopeOf(this)
      const target = scope !== undefined && isAccepted(array) ? bytesToFill(array) : undefined
      if (scope === undefined || target === undefined) return Reflect.apply(real, this, [array])
      drawInto(scope, target, () => Reflect.apply(real, this, [array]))
      return array
    }
  })
  return combine(uuid, values)
}

/** The scope to draw in; none for what is no crypto, which is refused as Node refuses it. */
function scopeOf(crypto: unknown): Scope | undefined {
  return crypto instanceof Crypto ? currentScope() : undefined
}

/** Source: Web Cryptography API, section 10.1.1: whole numbers, 65,536 bytes at most. Anything else is refused as Node refuses it. */
function isAccepted(array: unknown): boolean {
  if (!types.isTypedArray(array) || array.byteLength > 65_536) return false
  return !(array instanceof Float32Array || array instanceof Float64Array || array.constructor.name === 'Float16Array')
}
