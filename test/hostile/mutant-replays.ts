import { type ChildProcessByStdio, spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

/** What came of a mutant: a verdict, or an error that names what is wrong. Anything else is a fault of goldenrun. */
export interface MutantResult {
  readonly kind: 'verdict' | 'named' | 'raw' | 'hang' | 'crash' | 'memory'
  readonly text: string
}

/** In milliseconds. */
const HANG = 5_000
const MOST_MEGABYTES = 500
/** A process replays so many mutants. */
const PER_PROCESS = 2_000

interface Answer {
  readonly kind: 'verdict' | 'named' | 'raw'
  readonly text: string
  readonly megabytes: number
}

/** Replays mutants by the API, in a process that is replaced when it hangs or dies. */
export class MutantReplays {
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
    const answered = Promise.withResolvers<Answer | 'hang' | undefined>()
    this.#answer = answered.resolve
    const timer = setTimeout(() => answered.resolve('hang'), HANG)
    worker.stdin.write(`${file}\n`)
    const answer = await answered.promise
    clearTimeout(timer)
    this.#left -= 1
    if (answer === 'hang' || answer === undefined) {
      const kind = answer === 'hang' ? 'hang' : 'crash'
      this.end()
      return { kind, text: this.#stderr.slice(-2000) }
    }
    const { kind, text, megabytes } = answer
    if (this.#left === 0 || megabytes > MOST_MEGABYTES) this.end()
    if (megabytes > MOST_MEGABYTES) return { kind: 'memory', text: `${megabytes} MB` }
    return { kind, text }
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
