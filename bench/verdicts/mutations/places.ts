import type { SeenCall } from '../world/world-log.ts'

/** The input of a call, whose type the declaring code knows. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Fields = any

/** Finds a call of an unchanged run in what the world saw. Returns its index; undefined if the run made no such call. */
export type Place = (calls: readonly SeenCall[]) => number | undefined

/** The nth call with that name. */
export function nth(name: string, n: number = 1): Place {
  return (calls) => indexOf(calls, (call) => call.name === name, n)
}

/** The nth call with that name and a matching input. Default: the first. */
export function the(name: string, isSo: (input: Fields) => boolean, n: number = 1): Place {
  return (calls) => indexOf(calls, (call) => call.name === name && isSo(call.input), n)
}

/** The last call with that name. Default: with any name. */
export function last(name?: string): Place {
  return (calls) => toFound(calls.findLastIndex((call) => name === undefined || call.name === name))
}

/** The next call after a place, or a later one. */
export function next(place: Place, by: number = 1): Place {
  return (calls) => {
    const index = place(calls)
    return index === undefined || calls[index + by] === undefined ? undefined : index + by
  }
}

/** A place, only in runs that also have another one. */
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
