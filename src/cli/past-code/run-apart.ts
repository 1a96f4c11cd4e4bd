import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ownFile } from '../../stores/own-file.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { SelectedTrace } from '../select-traces.ts'
import { pastCodeError } from './git.ts'
import type { PastCode } from './past-code.ts'
import type { ApartRequest, RequestedTrace } from './apart-request.ts'

/** A trace of the current tree, read. */
export type CurrentTrace = Omit<RequestedTrace, 'found'> & { readonly found?: { readonly file: string; readonly text: string } }

/** Reads traces of the current tree. One that cannot be found or read stays one, with the reason. */
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

/** Does a job with the traces, in a process of its own. `name` is that of the code, in messages. */
export type RunApart<Output> = (name: string) => Promise<Output>

/**
 * Writes traces beside a worktree, and gives the function that has a process do a job with them and the code that is in it.
 *
 * @param options What the request has besides the traces.
 */
export function prepareApart<Output>(
  { worktree, placeOf }: PastCode,
  traces: readonly CurrentTrace[],
  job: ApartRequest<object>['job'],
): (options: object) => RunApart<Output> {
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
  return (options) => async (name) => {
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
