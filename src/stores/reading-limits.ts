import { processWide } from '../node/process-wide.ts'
import { defaultReadLimits, MOST_BYTES, type ReadLimits } from '../trace/read-limits.ts'
import { OptionsError } from '../trace/errors/options-error.ts'

const current = processWide('read-limits', () => ({ limits: defaultReadLimits }))

/** Returns the limits for reading traces in this process. */
export function readingLimits(): Required<ReadLimits> {
  return current.limits
}

/** Sets the limits for reading traces in this process: those of the config that was loaded last. Limits that are not given have their defaults. */
export function limitReading(limits: ReadLimits = {}): void {
  current.limits = { ...defaultReadLimits, ...limits }
}

/** @throws OptionsError for an unknown limit, and for a value that is not a number from 1 to 536870888. */
export function checkReadLimits(caller: string, limits: ReadLimits = {}): void {
  for (const [name, value] of Object.entries(limits)) {
    const names = Object.keys(defaultReadLimits)
    if (!names.includes(name)) throw new OptionsError(caller, 'limits', `takes ${names.join(', ')}, not "${name}".`)
    if (typeof value === 'number' && value >= 1 && value <= MOST_BYTES) continue
    throw new OptionsError(caller, 'limits', `has to have a number from 1 to ${MOST_BYTES} as "${name}", got ${JSON.stringify(value)}.`)
  }
}
