import { builtins } from '../../../node/builtins.ts'
import { currentScope, runBelow } from '../../../run/scope.ts'
import { combine, replaceProperty, type Restore } from '../../patches.ts'

/** The class of ids. Source: bson 6 and 7, src/objectid.ts. */
interface ObjectIdClass {
  generate(time?: number): Uint8Array
  /** Returns the next count. */
  getInc(): number
  /** Only bson 7: the bytes of the process; null until the first id is made. */
  PROCESS_UNIQUE?: Uint8Array | null
}

/**
 * Replaces how ids are made: from the time, the bytes of the process, and a count that continues from before the run. In a run, each id
 * draws its bytes and its count, so that a replay makes the same ids.
 */
export function openObjectIds(prototype: object): Restore {
  const ids = prototype.constructor as unknown as ObjectIdClass
  if (typeof ids.generate !== 'function' || typeof ids.getInc !== 'function') return () => undefined
  if ('PROCESS_UNIQUE' in ids) return combine(replaceProperty(ids, 'getInc', countDoor), openProcessBytes(ids))
  return replaceProperty(ids, 'generate', (original) => {
    return function generate(this: unknown, time) {
      const real = (): Uint8Array => Reflect.apply(original, this, [time])
      return Buffer.from(drawHere(12, real) ?? real())
    }
  })
}

function countDoor(original: ObjectIdClass['getInc']): ObjectIdClass['getInc'] {
  return function getInc(this: unknown) {
    const real = (): number => Reflect.apply(original, this, [])
    const drawn = drawHere(3, () => {
      const bytes = Buffer.alloc(3)
      bytes.writeUIntBE(real(), 0, 3)
      return bytes
    })
    return drawn === undefined ? real() : Buffer.from(drawn).readUIntBE(0, 3)
  }
}

/** Replaces the bytes of the process, a field of the class. */
function openProcessBytes(ids: ObjectIdClass): Restore {
  const before = Object.getOwnPropertyDescriptor(ids, 'PROCESS_UNIQUE')
  if (before?.configurable !== true || !('value' in before)) return () => undefined
  let current = before.value as Uint8Array | null
  const real = (): Uint8Array => (current ??= builtins.crypto.randomBytes(5))
  Object.defineProperty(ids, 'PROCESS_UNIQUE', {
    get: () => drawHere(5, real) ?? current,
    set(value: Uint8Array | null) {
      current = value
    },
    configurable: true,
    enumerable: true,
  })
  return () => void Object.defineProperty(ids, 'PROCESS_UNIQUE', { ...before, value: current })
}

/** Bytes that the run draws, or undefined outside of runs. */
function drawHere(size: number, real: () => Uint8Array): Uint8Array | undefined {
  const scope = currentScope()
  return scope?.run.readBytes(scope.owner, size, () => new Uint8Array(runBelow(scope, {}, real)))
}
