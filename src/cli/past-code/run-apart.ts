import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ownFile } from '../../node/own-file.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { SelectedTrace } from '../select-traces.ts'
import type { Terminal } from '../terminal.ts'
import type { ApartRequest, RequestedTrace } from './apart-request.ts'
import { type Commit, findCommit, findRepository } from './commits.ts'
import { pastCodeError } from './git.ts'
import { type PastCode, withPastCode } from './past-code.ts'

/** A trace of the current tree that was read. */
export type CurrentTrace = Omit<RequestedTrace, 'found'> & { readonly found?: { readonly file: string; readonly text: string } }

/** Reads traces of the current tree. A trace that cannot be found or read stays in the list, with the reason. */
export async function readCurrent(selected: readonly SelectedTrace[]): Promise<CurrentTrace[]> {
  return await Promise.all(
    selected.map(async ({ name, locate }) => {
      try {
        const { file, text } = await locate()
        return { name, found: { file, text } }
      } catch (error) {
        if (!GoldenrunError.isInstance(error)) throw error
        return { name, problem: { code: error.code, message: error.message } }
      }
    }),
  )
}

/** A job that a process does with traces of the current tree and past code. */
export interface PastJob {
  readonly job: ApartRequest<object>['job']
  /** Whether the packages of a commit with a different lock file are installed. */
  readonly install: boolean
  /** The rest of the request, in addition to the traces. */
  readonly options: object
}

/** Does a job in its own process, with the code in the worktree. `name` is the code's name in messages. */
export type RunApart<Output> = (name: string) => Promise<Output>

/**
 * Does a job with traces of the current tree and the code of a commit.
 *
 * @throws GoldenrunError `GOLDENRUN_PAST_CODE` if the commit cannot be found or set up.
 */
export async function runAt<Output>(ref: string, selected: readonly SelectedTrace[], job: PastJob, terminal: Terminal): Promise<Output> {
  const commit = findCommit(findRepository(process.cwd()), ref)
  const traces = await readCurrent(selected)
  return await withApart(commit, traces, job, terminal, async (past, run: RunApart<Output>) => {
    terminal.status(`${job.job === 'replay' ? 'Replaying' : 'Verifying'} at ${ref}`)
    try {
      await past.enter(commit, ref)
      return await run(ref)
    } finally {
      terminal.status('')
    }
  })
}

/** Makes a worktree, and a function that does a job with the traces and the code in the worktree. */
export async function withApart<Output, Result>(
  first: Commit,
  traces: readonly CurrentTrace[],
  { install, ...job }: PastJob,
  terminal: Pick<Terminal, 'printError'>,
  use: (past: PastCode, run: RunApart<Output>) => Promise<Result>,
): Promise<Result> {
  const directories = traces.flatMap(({ found }) => (found === undefined ? [] : [path.dirname(path.resolve(found.file))]))
  const onNote = (note: string): void => terminal.printError(note)
  return await withPastCode(first, { directories, differingLock: install ? 'install' : 'refuse', onNote }, async (past) =>
    use(past, prepareApart(past, traces, job)),
  )
}

/** Writes traces next to a worktree, for the processes that do a job with them. */
function prepareApart<Output>(
  { worktree, placeOf }: PastCode,
  traces: readonly CurrentTrace[],
  { job, options }: Omit<PastJob, 'install'>,
): RunApart<Output> {
  const file = (name: string): string => path.join(worktree.folder, name)
  const requested = traces.map(({ found, ...trace }, index): RequestedTrace => {
    if (found === undefined) return trace
    const written = file(`trace-${index}.jsonl`)
    writeFileSync(written, found.text)
    return {
      ...trace,
      found: {
        file: found.file,
        path: written,
        origin: path.resolve(found.file),
        directory: placeOf(path.dirname(path.resolve(found.file))),
      },
    }
  })
  return async (name) => {
    const request: ApartRequest<object> = { ...options, job, output: file('output.json'), traces: requested }
    writeFileSync(file('request.json'), JSON.stringify(request))
    rmSync(request.output, { force: true })
    const program = ownFile('cli/past-code/process')
    if (program === undefined) throw pastCodeError('A file is missing from the installed package: reinstall goldenrun.')
    const ended = await worktree.run(process.execPath, [program, file('request.json')], { cwd: placeOf(process.cwd()) })
    if (existsSync(request.output)) return JSON.parse(readFileSync(request.output, 'utf8')) as Output
    const how = typeof ended === 'number' ? `with exit status ${ended}` : `by ${ended}`
    throw pastCodeError(`The code of ${name} ended the process of its ${job === 'replay' ? 'replay' : 'verification'}, ${how}.`)
  }
}
