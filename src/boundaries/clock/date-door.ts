import { currentScope } from '../../run/scope.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import type { RunClock } from './run-clock.ts'

/** `Date.now()`, `new Date()`, `Date()`, and instances of subclasses. */
export function dateDoor({ now }: RunClock): Restore {
  const RealDate = globalThis.Date
  // `Date.now` is replaced on the original constructor, for code that holds on to it; only `new Date()` and `Date()` need a new
  // constructor.
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
