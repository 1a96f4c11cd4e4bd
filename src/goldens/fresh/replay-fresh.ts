import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { programFile } from '../../node/own-file.ts'
import type { FreshRequest, WrittenRequest } from './fresh-request.ts'
import type { JudgedTrace } from './judged-trace.ts'
import { runProgram } from './run-program.ts'

/** How long a replay in another process may take, in milliseconds of real time. */
const LIMIT = 60_000

/**
 * Replays a trace with the agent of its config in a new process, where no module has kept anything from an earlier run. What the agent prints is
 * dropped, because it has already printed it.
 *
 * @returns The verdict; undefined if the process had none: it ended early, took longer than a minute, or cannot load the agent.
 */
export async function replayFresh(request: FreshRequest): Promise<JudgedTrace | undefined> {
  const program = programFile('cli/fresh-process')
  if (program === undefined) return undefined
  const folder = mkdtempSync(path.join(tmpdir(), 'goldenrun-fresh-'))
  try {
    const [file, output] = [path.join(folder, 'request'), path.join(folder, 'verdict')]
    writeFileSync(file, serialize({ ...request, output } satisfies WrittenRequest))
    await runProgram(program, file, LIMIT)
    const judged = existsSync(output) ? (deserialize(readFileSync(output)) as JudgedTrace) : undefined
    return judged?.status === 'could not run' ? undefined : judged
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
