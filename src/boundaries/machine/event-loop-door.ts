import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { currentScope } from '../../run/scope.ts'
import { replaceProperty, type Restore } from '../patches.ts'
import { readFact } from './read-fact.ts'

type Read = (since?: EventLoopUtilization, before?: EventLoopUtilization) => EventLoopUtilization

const home = Object.getPrototypeOf(performance) as { eventLoopUtilization: Read }

/**
 * `performance.eventLoopUtilization()`: agents shed load by it. The difference to an earlier reading is that of two readings of the run. Source: Node,
 * lib/internal/perf/event_loop_utilization.js.
 */
export function eventLoopDoor(): Restore {
  return replaceProperty(home, 'eventLoopUtilization', (original) => (since, before) => {
    // The difference of two readings is no reading.
    if (currentScope() === undefined || before !== undefined) return original(since, before)
    const read = readFact('performance.eventLoopUtilization', () => original())
    if (since === undefined) return read
    const [idle, active] = [read.idle - since.idle, read.active - since.active]
    return { idle, active, utilization: active / (idle + active) }
  })
}
