import { readFileSync } from 'node:fs'
import type { ReportStyle } from '../../divergence/report/reported-run.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { ReplayTracesOptions } from '../replay-traces.ts'
import type { SelectedTrace } from '../select-traces.ts'

/** The request to a process that runs past code: a file of JSON. */
export type ApartRequest<Options> = Options & {
  readonly job: 'replay' | 'verify'
  readonly traces: readonly RequestedTrace[]
  /** The absolute path of the file for its output. */
  readonly output: string
}

/** The options of a replay in such a process, and how its output looks. */
export type ReplayApartOptions = Required<Pick<ReplayTracesOptions, 'onDivergence' | 'allowModelDrift'>> & ReportStyle

/** A trace of the current tree. */
export interface RequestedTrace {
  readonly name: string
  readonly found?: {
    /** The name of the file in messages. */
    readonly file: string
    /** The absolute path of a file with its text. */
    readonly path: string
    /** The absolute path of the trace itself: the other traces of its conversation are next to it. */
    readonly origin: string
    /** The folder where the config of a golden is looked for. */
    readonly directory: string
  }
  /** Why it could not be found. */
  readonly problem?: { readonly code: string; readonly message: string }
}

/** Returns the folder whose config is used for a trace of a request, by the trace's file. */
export function directoriesOf({ traces }: Pick<ApartRequest<unknown>, 'traces'>): (file: string) => string {
  const directories = new Map(traces.flatMap(({ found }) => (found === undefined ? [] : [[found.file, found.directory]])))
  return (file) => directories.get(file) ?? process.cwd()
}

/** Converts a trace of a request to the form that commands take. */
export function toSelected({ name, found, problem }: RequestedTrace): SelectedTrace {
  return {
    name,
    ...(found !== undefined && { origin: found.origin }),
    async locate() {
      if (found === undefined) throw new GoldenrunError(problem?.code ?? '', problem?.message ?? '')
      return Promise.resolve({ file: found.file, text: readFileSync(found.path, 'utf8') })
    },
  }
}
