import { currentScope } from '../../run/scope.ts'
import { replaceProperty, type Restore } from '../patches.ts'
import { readFact } from './read-fact.ts'

type CpuTime = NodeJS.CpuUsage
type ReadCpuTime = (before?: CpuTime) => CpuTime

/** Time that the process, or the thread, has had of the processor. The difference to an earlier reading is that of two readings of the run. */
export function cpuTimeDoor(name: 'cpuUsage' | 'threadCpuUsage'): Restore {
  const home = process as unknown as Record<string, ReadCpuTime>
  // Node has that of a thread since 23.9.
  if (typeof home[name] !== 'function') return () => undefined
  return replaceProperty(home, name, (original) => (before) => {
    // Anything but a reading is refused by Node itself.
    if (currentScope() === undefined || (before !== undefined && !isReading(before))) return original(before)
    const { user, system } = readFact(`process.${name}`, () => original())
    return { user: user - (before?.user ?? 0), system: system - (before?.system ?? 0) }
  })
}

function isReading(value: CpuTime | null): boolean {
  return value !== null && typeof value === 'object' && isTime(value.user) && isTime(value.system)
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER
}
