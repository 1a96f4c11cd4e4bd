import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { ownFile } from '../../node/own-file.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import { ADDRESS, type InspectAnswer, type InspectRequest } from './inspect-request.ts'
import type { PortAddress } from './port/debugger-port.ts'

/** A request without the fields that the process adds. */
export type ApartRequest = Omit<InspectRequest, 'output' | 'trace'>

/** A process that replays a trace. */
export interface StartedReplay {
  readonly answer: Promise<InspectAnswer>
  /** Where its debugger listens; undefined if it has none. */
  readonly address: Promise<PortAddress | undefined>
  end(): void
}

/** A trace that is replayed in separate processes. */
export class ReplayApart {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'goldenrun-inspect-'))
  readonly #children = new Set<ChildProcess>()
  readonly #file: string
  #requests = 0
  readonly #onExit = (): void => this.close()

  /** @param file The name of the trace in messages. */
  constructor(file: string, text: string) {
    this.#file = file
    writeFileSync(path.join(this.#folder, 'trace.jsonl'), text)
    process.on('exit', this.#onExit)
  }

  /**
   * Replays the trace in a new process.
   *
   * @throws GoldenrunError with the code of the error in the process, or `GOLDENRUN_INSPECT` if the agent ended the process.
   */
  async ask(request: ApartRequest): Promise<InspectAnswer> {
    return await this.start(request).answer
  }

  /** Starts a process that replays the trace. */
  start(request: ApartRequest): StartedReplay {
    this.#requests += 1
    const place = (name: string): string => path.join(this.#folder, name)
    const output = place(`answer-${this.#requests}.json`)
    const file = place(`request-${this.#requests}.json`)
    writeFileSync(
      file,
      JSON.stringify({ ...request, trace: { file: this.#file, path: place('trace.jsonl') }, output } satisfies InspectRequest),
    )
    const program = ownFile('cli/inspect/inspect-process')
    if (program === undefined) throw inspectError('A file is missing from the installed package: reinstall goldenrun.')
    const child = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
    this.#children.add(child)
    // What the agent prints goes to standard error, so that standard output holds only the answer.
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (bytes: Buffer) => {
        const text = withoutNotice(bytes)
        process.stderr.write(text)
      })
    }
    const ended = new Promise<string>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (status, signal) => {
        this.#children.delete(child)
        resolve(status === null ? `by ${signal}` : `with exit status ${status}`)
      })
    })
    return { answer: ended.then((how) => this.#read(output, how)), address: readAddress(child), end: () => void child.kill('SIGKILL') }
  }

  /** Ends the processes and removes the files. */
  close(): void {
    process.off('exit', this.#onExit)
    for (const child of this.#children) child.kill('SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }

  #read(output: string, ended: string): InspectAnswer {
    if (!existsSync(output)) throw inspectError(`The code of ${this.#file} ended the process of its replay, ${ended}.`)
    const answer = JSON.parse(readFileSync(output, 'utf8')) as InspectAnswer
    rmSync(output)
    if (answer.problem !== undefined) throw new GoldenrunError(answer.problem.code, answer.problem.message)
    return answer
  }
}

/** Returns the address in the first line on the file descriptor; undefined if the process ends without one. */
async function readAddress({ stdio }: ChildProcess): Promise<PortAddress | undefined> {
  const stream = stdio[ADDRESS] as Readable
  for await (const line of createInterface({ input: stream })) return JSON.parse(line) as PortAddress
  return undefined
}

/** Node prints this about the debugger's thread whenever the agent ends its process. */
const NOTICE = 'Waiting for the debugger to disconnect...\n'

function withoutNotice(bytes: Buffer): Buffer {
  const at = bytes.indexOf(NOTICE)
  return at === -1 ? bytes : Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + NOTICE.length)])
}

/** Returns an error of `inspect` or `debug`. */
export function inspectError(message: string): GoldenrunError {
  return new GoldenrunError('GOLDENRUN_INSPECT', message)
}
