/**
 * A process that runs one contestant's rounds until it is told to stop. The contestant is always on, like a recorder in production, and V8 has
 * optimized the program for this contestant only. It is started with the contestant's name, and answers each message with the times of its round.
 */
import { readFileSync } from 'node:fs'
import { useSource } from '../use-source.ts'
import type { Name } from './contestants.ts'
import type { Round, RoundTimes } from './contestant-process.ts'

useSource()
const { contestants } = await import('./contestants.ts')
const { work } = await import('./workload.ts')

const { surround, ask, settle, close } = await contestants[process.argv[2] as Name]()

process.on('message', (round: Round) => void measure(round))
process.on('disconnect', () => void close())
process.send?.('ready')

async function measure({ workload, port }: Round): Promise<void> {
  const main = mainThread()
  const all = process.cpuUsage()
  const runs = await work(workload, port, surround, ask)
  const ofMain = mainThread() - main
  await settle?.()
  const { user, system } = process.cpuUsage(all)
  process.send?.({ main: ofMain, all: (user + system) / 1000, runs } satisfies RoundTimes)
}

/** Returns the main thread's CPU time, in milliseconds. Node 22 cannot tell; Linux can, to ten milliseconds. Source: proc(5), `/proc/pid/task/tid/stat`. */
function mainThread(): number {
  if (typeof process.threadCpuUsage === 'function') {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8')
  // The program's name is second, in brackets, and may contain anything.
  const [utime, stime] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(utime) + Number(stime)) * 10
}
