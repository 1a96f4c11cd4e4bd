import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A load that is held until it is disposed of. */
export interface HeldLoad extends AsyncDisposable {
  /** How many processes and threads could run, on average, as often as that was looked at. */
  readonly average: number
}

/** Spins for ten seconds at most: what is not ended by its id ends by itself. */
const SPIN = 'const end = Date.now() + 10_000; while (Date.now() < end);'

/** How often it is looked how many there are, in milliseconds. */
const EVERY = 250

/** Has so many processes and threads of the machine ready to run at any time: makes as many as others leave out, and no more. Linux alone tells how many there are. */
export function holdLoad(target: number): HeldLoad {
  const makers = new Set<ChildProcess>()
  let sum = 0
  let looks = 0
  const hold = (): void => {
    const running = countRunning()
    sum += running
    looks += 1
    const others = Math.max(0, running - makers.size)
    const wanted = Math.max(0, target - others)
    while (makers.size < wanted) make(makers)
    for (const maker of [...makers].slice(wanted)) maker.kill('SIGKILL')
  }
  const timer = setInterval(hold, EVERY)
  hold()
  return {
    get average() {
      return sum / looks
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      const ended = [...makers].map((maker) => new Promise((resolve) => maker.once('close', resolve)))
      for (const maker of makers) maker.kill('SIGKILL')
      await Promise.all(ended)
    },
  }
}

function make(makers: Set<ChildProcess>): void {
  const maker = spawn(process.execPath, ['--eval', SPIN], { stdio: 'ignore' })
  makers.add(maker)
  maker.once('close', () => makers.delete(maker))
}

/** As Linux tells it, this process included. */
function countRunning(): number {
  const [, , , running = '1/1'] = readFileSync('/proc/loadavg', 'utf8').split(' ')
  return Number(running.split('/')[0])
}
