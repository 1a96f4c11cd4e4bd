import { builtins } from '../../node/builtins.ts'
import { knownOrMade } from '../../node/remember.ts'
import { combine, replaceProperty, type Restore, sameEachTime } from '../patches.ts'
import { cpuTimeDoor } from './cpu-time-door.ts'
import { eventLoopDoor } from './event-loop-door.ts'
import { readFact } from './read-fact.ts'

type Tell = (...args: unknown[]) => unknown

/**
 * What describes the machine, and differs between two. The folders `homedir` and `tmpdir` stay this machine's: a program opens files there.
 * So do constants (`process.platform`, `os.EOL`), by which code decides how it works here.
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

/** What the process uses. Some are not in every version of Node. */
const ofProcess = ['availableMemory', 'constrainedMemory', 'resourceUsage'] as const

/** What the machine and the process say of themselves. In a run, each is a read, as of a clock. */
export function machineDoor(): Restore {
  return combine(
    ...ofMachine.map((name) => factDoor(builtins.os, 'os', name)),
    ...ofProcess.map((name) => factDoor(process, 'process', name)),
    memoryDoor(),
    cpuTimeDoor('cpuUsage'),
    cpuTimeDoor('threadCpuUsage'),
    eventLoopDoor(),
  )
}

function factDoor(home: object, module: string, name: string): Restore {
  if (typeof Reflect.get(home, name) !== 'function') return () => undefined
  return replaceProperty(home as Record<string, Tell>, name, doorOf(`${module}.${name}`))
}

const doors = new Map<string, (original: Tell) => Tell>()

function doorOf(name: string): (original: Tell) => Tell {
  return knownOrMade(doors, name, () => sameEachTime((original: Tell) => createDoor(name, original)))
}

function createDoor(name: string, original: Tell): Tell {
  const tell: Tell = (...args) => readFact(nameWith(name, args), () => original(...args))
  // A text with the function in it, `${os.hostname}`, calls this one.
  const read: unknown = Reflect.get(original, Symbol.toPrimitive)
  return typeof read === 'function' ? Object.assign(tell, { [Symbol.toPrimitive]: () => tell() }) : tell
}

/** `os.userInfo` gives other values with an option. */
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
