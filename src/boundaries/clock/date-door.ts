import { currentScope } from '../../run/scope.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import type { RunClock } from './run-clock.ts'

/** `Date.now()`, `new Date()`, `Date()`, and what is made by subclasses. */
export function dateDoor({ now }: RunClock): Restore {
  const RealDate = globalThis.Date
  // `Date.now` is replaced on the constructor itself, for those who hold on to it; only `new Date()` and `Date()` need another constructor.
  const nowRestore = replaceProperty(RealDate, 'now', () => () => now())
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
