import { performance } from 'node:perf_hooks'
import { builtins } from '../../node/builtins.ts'
import { knownOrMade } from '../../trace/remember.ts'
import { currentScope } from '../../run/scope.ts'
import { combine, replaceFunction, replaceProperty, type Restore, sameEachTime } from '../patches.ts'
import { readFact } from './read-fact.ts'

type Tell = (...args: unknown[]) => unknown

/**
 * Functions that describe the machine, and differ between machines. The folders `homedir` and `tmpdir` stay this machine's, because a
 * program opens files there. So do constants (`process.platform`, `os.EOL`), by which code decides how it works here.
 */
const ofMachine = [
  'arch',
  'availableParallelism',
  'cpus',
  'freemem',
  'hostname',
  'loadavg',
  'machine',
  'networkInterfaces',
  'platform',
  'release',
  'totalmem',
  'type',
  'uptime',
  'userInfo',
  'version',
] as const

/** Resources that the process uses. Some functions are not in every version of Node. */
const ofProcess = ['availableMemory', 'constrainedMemory', 'resourceUsage'] as const

/** Facts that the machine and the process report. In a run, each is a read, like a clock's. */
export function machineDoor(): Restore {
  return combine(
    ...ofMachine.map((name) => replaceFunction(builtins.os, name, doorOf(`os.${name}`))),
    ...ofProcess.map((name) => replaceFunction(process, name, doorOf(`process.${name}`))),
    memoryDoor(),
    cpuTimeDoor('cpuUsage'),
    cpuTimeDoor('threadCpuUsage'),
    eventLoopDoor(),
  )
}

const doors = new Map<string, (original: Tell) => Tell>()

function doorOf(name: string): (original: Tell) => Tell {
  return knownOrMade(doors, name, () => sameEachTime((original: Tell) => createDoor(name, original)))
}

function createDoor(name: string, original: Tell): Tell {
  const tell: Tell = (...args) => readFact(nameWith(name, args), () => original(...args))
  // A template literal with the function in it, `${os.hostname}`, calls this one.
  const read: unknown = Reflect.get(original, Symbol.toPrimitive)
  return typeof read === 'function' ? Object.assign(tell, { [Symbol.toPrimitive]: () => tell() }) : tell
}

/** `os.userInfo` returns different values with an option. */
function nameWith(name: string, [options]: readonly unknown[]): string {
  return typeof options === 'object' && options !== null && 'encoding' in options ? `${name} ${String(options.encoding)}` : name
}

/** `process.memoryUsage()`, and `process.memoryUsage.rss()`. */
function memoryDoor(): Restore {
  return replaceProperty(process, 'memoryUsage', (original) => {
    const memoryUsage = (): NodeJS.MemoryUsage => readFact('process.memoryUsage', () => original())
    return Object.assign(memoryUsage, { rss: () => readFact('process.memoryUsage.rss', () => original.rss()) })
  })
}

type CpuTime = NodeJS.CpuUsage
type ReadCpuTime = (before?: CpuTime) => CpuTime

/** CPU time of the process or the thread. The difference from an earlier reading is computed from two readings of the run. */
function cpuTimeDoor(name: 'cpuUsage' | 'threadCpuUsage'): Restore {
  const home = process as unknown as Record<string, ReadCpuTime>
  // Node has CPU time of a thread since 23.9.
  if (typeof home[name] !== 'function') return () => undefined
  return replaceProperty(home, name, (original) => (before) => {
    // Node itself refuses anything but a reading.
    if (currentScope() === undefined || (before !== undefined && !isCpuReading(before))) return original(before)
    const { user, system } = readFact(`process.${name}`, () => original())
    return { user: user - (before?.user ?? 0), system: system - (before?.system ?? 0) }
  })
}

function isCpuReading(value: CpuTime | null): boolean {
  return value !== null && typeof value === 'object' && isCpuTime(value.user) && isCpuTime(value.system)
}

function isCpuTime(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER
}

const clock = Object.getPrototypeOf(performance) as Pick<typeof performance, 'eventLoopUtilization'>

/**
 * `performance.eventLoopUtilization()`, by which agents shed load. The difference from an earlier reading is computed from two readings of
 * the run. Source: Node, lib/internal/perf/event_loop_utilization.js.
 */
function eventLoopDoor(): Restore {
  return replaceProperty(clock, 'eventLoopUtilization', (original) => (since, before) => {
    // The difference between two existing readings reads nothing.
    if (currentScope() === undefined || before !== undefined) return original(since, before)
    const read = readFact('performance.eventLoopUtilization', () => original())
    if (since === undefined) return read
    const [idle, active] = [read.idle - since.idle, read.active - since.active]
    return { idle, active, utilization: active / (idle + active) }
  })
}
