import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { programFile } from '../../node/own-file.ts'
import { runProgram } from '../fresh/run-program.ts'

/** An agent whose goldens lie in a directory. */
export interface AcceptedAgent {
  /** An absolute path. */
  readonly directory: string
  readonly agent: string
}

/** A request to the process that replays the goldens of an agent, and where it writes its answer, a `Renewal`, as JSON. */
export interface RenewalRequest extends AcceptedAgent {
  readonly output: string
}

/** What came of it. */
export type Renewal =
  /** `isChanged`: whether the file had another text, or did not exist. */
  | { readonly file: string; readonly isChanged: boolean }
  /** The first golden that does not hold, so that the file stays as it was. */
  | { readonly notHeld: string }
  /** A golden that could not be replayed, and why. */
  | { readonly notRun: string; readonly message: string }

/** How long the replays of all goldens of an agent may take, in milliseconds of real time. */
const LIMIT = 600_000

/**
 * Replays all goldens of an agent in a new process and, if they hold, writes down what their runs were made of, in a file beside them.
 *
 * @returns Undefined if the process ended early.
 */
export async function renewAccepted({ directory, agent }: AcceptedAgent): Promise<Renewal | undefined> {
  const program = programFile('cli/accept-process')
  if (program === undefined) return undefined
  const folder = mkdtempSync(path.join(tmpdir(), 'goldenrun-accept-'))
  try {
    const [file, output] = [path.join(folder, 'request.json'), path.join(folder, 'renewal.json')]
    writeFileSync(file, JSON.stringify({ directory, agent, output } satisfies RenewalRequest))
    await runProgram(program, file, LIMIT)
    return existsSync(output) ? (JSON.parse(readFileSync(output, 'utf8')) as Renewal) : undefined
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
