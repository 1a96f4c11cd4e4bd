import type { SeenCall } from '../world/world-log.ts'

/** What a call was given, as whoever declares a place knows it. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Fields = any

/** A call of an unchanged run, found in what the world saw of it: its index. Undefined where the run made none. */
export type Place = (calls: readonly SeenCall[]) => number | undefined

/** The nth call of that name. */
export function nth(name: string, n: number = 1): Place {
  return (calls) => indexOf(calls, (call) => call.name === name, n)
}

/** The first call of that name whose input is so. */
export function the(name: string, isSo: (input: Fields) => boolean, n: number = 1): Place {
  return (calls) => indexOf(calls, (call) => call.name === name && isSo(call.input), n)
}

/** The last call of that name; by default of any. */
export function last(name?: string): Place {
  return (calls) => toFound(calls.findLastIndex((call) => name === undefined || call.name === name))
}

/** The call next after a place. */
export function next(place: Place, by: number = 1): Place {
  return (calls) => {
    const index = place(calls)
    return index === undefined || calls[index + by] === undefined ? undefined : index + by
  }
}

/** Before any call. */
export const START: Place = () => -1

/** A place, in those runs that have another one too. */
export function where(isSo: Place, place: Place): Place {
  return (calls) => (isSo(calls) === undefined ? undefined : place(calls))
}

function indexOf(calls: readonly SeenCall[], isIt: (call: SeenCall) => boolean, n: number): number | undefined {
  const indices = calls.flatMap((call, index) => (isIt(call) ? [index] : []))
  return indices[n - 1]
}

function toFound(index: number): number | undefined {
  return index < 0 ? undefined : index
}
