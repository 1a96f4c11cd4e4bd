import { currentScope } from '../../run/scope.ts'
import { builtins } from '../../node/builtins.ts'
import { replaceProperty, type Restore } from '../patches.ts'

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
      // The middle of the number's share, so that rounding cannot leave it.
      const drawn = scope.run.readRandom(scope.owner, () => (real(min, max) - min + 0.5) / range)
      const value = Math.floor(drawn * range) + min
      if (callback === undefined) return value
      setImmediate(callback, null, value)
    }
    return randomInt as typeof real
  })
}

/** Whether Node accepts these arguments; otherwise Node itself refuses them. */
function isAccepted(min: unknown, max: unknown, callback: unknown): boolean {
  if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max)) return false
  const range = Number(max) - Number(min)
  return range > 0 && range < 2 ** 48 && (callback === undefined || typeof callback === 'function')
}
