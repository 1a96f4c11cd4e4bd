/**
 * A process in which one contestant does its rounds, as long as it is told to: always on, as a recorder is in production, and of nobody else is there
 * anything in what V8 has made of the program. It is started with the contestant's name, and answers each message with what its round took.
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

/** What the main thread has taken of the processor, in milliseconds. Node 22 does not tell; Linux does, to ten milliseconds. Source: proc(5), `/proc/pid/task/tid/stat`. */
function mainThread(): number {
  if (typeof process.threadCpuUsage === 'function') {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8')
  // The name of the program comes second, in brackets, and may hold anything.
  const [utime, stime] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(utime) + Number(stime)) * 10
}
