import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ownFile } from '../../stores/own-file.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { ReplayOutput } from '../replay-output.ts'
import type { SelectedTrace } from '../select-traces.ts'
import type { Terminal } from '../terminal.ts'
import { pastCodeError } from './git.ts'
import type { PastCode } from './past-code.ts'
import type { ReplayRequest, RequestedTrace } from './replay-request.ts'

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

/** Replays traces in a process of its own. */
export type ReplayApart = (name: string) => Promise<ReplayOutput>

/** Writes traces beside a worktree, and gives the function that replays them with the code that is in it. */
export function prepareReplay(
  past: PastCode,
  traces: readonly CurrentTrace[],
  options: Pick<ReplayRequest, 'onDivergence' | 'allowModelDrift'>,
  { colors, width }: Pick<Terminal, 'colors' | 'width'>,
): ReplayApart {
  const { worktree, placeOf } = past
  const file = (name: string): string => path.join(worktree.folder, name)
  const request: ReplayRequest = {
    ...options,
    color: colors.isColorSupported,
    width,
    output: file('output.json'),
    traces: traces.map(({ found, ...trace }, index) => {
      if (found === undefined) return trace
      const written = file(`trace-${index}.jsonl`)
      writeFileSync(written, found.text)
      const directory = placeOf(path.dirname(path.resolve(found.file)))
      return { ...trace, found: { file: found.file, path: written, directory } }
    }),
  }
  writeFileSync(file('request.json'), JSON.stringify(request))
  return async (name) => {
    rmSync(request.output, { force: true })
    const program = ownFile('cli/past-code/replay-process')
    if (program === undefined) throw pastCodeError('A file is missing from the installed package: reinstall goldenrun.')
    const ended = await worktree.run(process.execPath, [program, file('request.json')], { cwd: placeOf(process.cwd()) })
    if (existsSync(request.output)) return JSON.parse(readFileSync(request.output, 'utf8')) as ReplayOutput
    const how = typeof ended === 'number' ? `with exit status ${ended}` : `by ${ended}`
    throw pastCodeError(`The code of ${name} ended the process of its replay, ${how}.`)
  }
}
