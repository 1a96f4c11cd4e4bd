import { types } from 'node:util'
import { currentScope, type Scope } from '../../run/scope.ts'
import { builtins } from '../../node/builtins.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { bytesToFill, drawInto } from './draw-bytes.ts'

type Uuid = `${string}-${string}-${string}-${string}-${string}`

/** `crypto.randomUUID()` and `crypto.getRandomValues()`, of the global and of `node:crypto`'s `webcrypto`. */
export function webCryptoDoor(): Restore {
  return combine(...cryptoPrototypes().map(prototypeDoor))
}

/** Returns Node's prototype, and the document's if a test runner has replaced Node's. */
function cryptoPrototypes(): Crypto[] {
  return [...new Set([builtins.crypto.webcrypto as Crypto, crypto].map((one) => Object.getPrototypeOf(one) as Crypto))]
}

function prototypeDoor(prototype: Crypto): Restore {
  const scopeOf = (one: unknown): Scope | undefined => (isOf(prototype, one) ? currentScope() : undefined)
  const uuid = replaceProperty(prototype, 'randomUUID', (real) => {
    return function randomUUID(this: Crypto): Uuid {
      const scope = scopeOf(this)
      return scope === undefined ? real.call(this) : (scope.run.readUuid(scope.owner, () => real.call(this)) as Uuid)
    }
  })
  const values = replaceProperty(prototype, 'getRandomValues', (real) => {
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

/** Returns whether an object is a crypto of that kind; Node itself refuses anything else. */
function isOf(prototype: Crypto, one: unknown): boolean {
  return typeof one === 'object' && one !== null && Object.prototype.isPrototypeOf.call(prototype, one)
}

/** Source: Web Cryptography API, section 10.1.1: integers, at most 65,536 bytes. Node itself refuses anything else. */
function isAccepted(array: unknown): boolean {
  if (!types.isTypedArray(array) || array.byteLength > 65_536) return false
  return !(array instanceof Float32Array || array instanceof Float64Array || array.constructor.name === 'Float16Array')
}
