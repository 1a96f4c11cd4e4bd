import { currentScope } from '../../run/scope.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'

/** `Date` in all its forms, `performance.now()`, `process.hrtime()` and `process.hrtime.bigint()`. */
export function clockDoor(): Restore {
  return combine(dateDoor(), performanceDoor(), hrtimeDoor())
}

function dateDoor(): Restore {
  const RealDate = globalThis.Date
  const realNow = RealDate.now
  const now = (): number => {
    const scope = currentScope()
    return scope === undefined ? realNow() : scope.run.readClock(scope.owner, realNow)
  }
  // `Date.now` is replaced on the constructor itself, for those who hold on to it; only `new Date()` and `Date()` need another constructor.
  const nowRestore = replaceProperty(RealDate, 'now', () => now)
  const DoorDate = new Proxy(RealDate, {
    construct(target, args, newTarget) {
      return Reflect.construct(target, args.length === 0 && currentScope() !== undefined ? [now()] : args, newTarget)
    },
    apply() {
      return new RealDate(now()).toString()
    },
  })
  const constructorRestore = replaceProperty(RealDate.prototype as Date & { constructor: unknown }, 'constructor', () => DoorDate)
  const dateRestore = replaceProperty(globalThis, 'Date', () => DoorDate)
  return combine(nowRestore, constructorRestore, dateRestore)
}

function performanceDoor(): Restore {
  return replaceProperty(Performance.prototype, 'now', (realNow) => {
    return function now(this: Performance): number {
      const scope = currentScope()
      if (scope === undefined) return realNow.call(this)
      // Whole microseconds: that is the finest the clock gives, and a difference of two of them is exact.
      return scope.run.readMonotonic(scope.owner, () => Math.round(realNow.call(this) * 1000)) / 1000
    }
  })
}

function hrtimeDoor(): Restore {
  const realHrtime = process.hrtime
  const realBigint = realHrtime.bigint
  const bigint = (): bigint => {
    const scope = currentScope()
    return scope === undefined ? realBigint() : BigInt(scope.run.readMonotonic(scope.owner, () => Number(realBigint() / 1000n))) * 1000n
  }
  const hrtime = (since?: [number, number]): [number, number] => {
    if (currentScope() === undefined) return realHrtime(since)
    const nanoseconds = bigint() - (since === undefined ? 0n : BigInt(since[0]) * 1_000_000_000n + BigInt(since[1]))
    return [Number(nanoseconds / 1_000_000_000n), Number(nanoseconds % 1_000_000_000n)]
  }
  return replaceProperty(process, 'hrtime', () => Object.assign(hrtime, { bigint }))
}
