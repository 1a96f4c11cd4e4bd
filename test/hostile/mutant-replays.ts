import { type ChildProcessByStdio, spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { forgetPeakOf, peakOf, secondsOf } from './watched-process.ts'

/** What came of a mutant: a verdict, or an error that names what is wrong. Anything else is a fault of goldenrun. */
export interface MutantResult {
  readonly kind: 'verdict' | 'named' | 'raw' | 'hang' | 'crash' | 'memory'
  readonly text: string
}

/** The most CPU time that a mutant may take, in seconds. */
const HANG_SECONDS = 5
/** How long a mutant may take at all, in milliseconds: the machine may be busy. */
const LONGEST = 120_000
/** How often its process is looked at, in milliseconds. */
const PAUSE = 500
const MOST_MEGABYTES = 500
/** A process replays so many mutants. */
const PER_PROCESS = 2_000

interface Answer {
  readonly kind: 'verdict' | 'named' | 'raw'
  readonly text: string
}

/** Replays mutants by the API, in a process that is replaced when it hangs or dies. */
export class MutantReplays {
  /** The most memory that a process had while it replayed a mutant, in megabytes. */
  megabytes = 0
  /** The most CPU time that a mutant took, in seconds. */
  seconds = 0
  readonly #project: string
  #worker: ChildProcessByStdio<Writable, Readable, Readable> | undefined
  #answer: ((answer: Answer | undefined) => void) | undefined
  #left = 0
  #stderr = ''

  /** @param project The folder of the agents. */
  constructor(project: string) {
    this.#project = project
  }

  /** Replays a mutant. */
  async replay(file: string): Promise<MutantResult> {
    const worker = this.#worker ?? this.#start()
    const { pid = 0 } = worker
    const answered = Promise.withResolvers<Answer | undefined>()
    this.#answer = answered.resolve
    forgetPeakOf(pid)
    const [begun, before] = [Date.now(), secondsOf(pid)]
    worker.stdin.write(`${file}\n`)
    const isHanging = (): boolean => secondsOf(pid) - before > HANG_SECONDS || Date.now() - begun > LONGEST
    let answer: Answer | 'waits' | undefined = 'waits'
    while (answer === 'waits' && !isHanging()) {
      const stop = new AbortController()
      const waits = sleep(PAUSE, 'waits' as const, { signal: stop.signal }).catch(() => 'waits' as const)
      answer = await Promise.race([answered.promise, waits])
      stop.abort()
    }
    const [megabytes, seconds] = [peakOf(pid), secondsOf(pid) - before]
    this.#left -= 1
    if (answer === 'waits' || answer === undefined) {
      const kind = answer === 'waits' ? 'hang' : 'crash'
      this.end()
      return { kind, text: this.#stderr.slice(-2000) }
    }
    this.megabytes = Math.max(this.megabytes, megabytes)
    this.seconds = Math.max(this.seconds, seconds)
    if (this.#left === 0 || megabytes > MOST_MEGABYTES) this.end()
    if (megabytes > MOST_MEGABYTES) return { kind: 'memory', text: `${Math.round(megabytes)} MB` }
    if (seconds > HANG_SECONDS) return { kind: 'hang', text: `${seconds} s` }
    return answer
  }

  /** Ends the process. */
  end(): void {
    this.#worker?.kill('SIGKILL')
    this.#worker = undefined
  }

  #start(): ChildProcessByStdio<Writable, Readable, Readable> {
    const worker = spawn(process.execPath, ['replay-mutants.mjs'], { cwd: this.#project, stdio: ['pipe', 'pipe', 'pipe'] })
    this.#worker = worker
    this.#left = PER_PROCESS
    this.#stderr = ''
    worker.stderr.on('data', (data: Buffer) => (this.#stderr = `${this.#stderr}${data.toString()}`.slice(-10_000)))
    createInterface({ input: worker.stdout }).on('line', (line) => this.#answer?.(JSON.parse(line) as Answer))
    worker.on('exit', () => {
      if (this.#worker === worker) this.#answer?.(undefined)
    })
    worker.stdin.on('error', () => undefined)
    return worker
  }
}

/** Returns where a mutant is written. */
export function placeOf(project: string, index: number, extension: string): string {
  return path.join(project, 'mutants', `m${index}.${extension}`)
}
