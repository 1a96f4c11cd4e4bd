import { readFileSync } from 'node:fs'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { ModelDrift } from '../../replay/contract/replay-options.ts'
import type { SelectedTrace } from '../select-traces.ts'

/** What a process that runs past code is asked to do: a file of JSON. */
export type ApartRequest<Options> = Options & {
  readonly job: 'replay' | 'verify'
  readonly traces: readonly RequestedTrace[]
  /** The absolute path of the file that it writes its output to. */
  readonly output: string
}

/** What the process of a replay is asked for. */
export interface ReplayApartOptions {
  readonly onDivergence: 'stop' | 'continue'
  readonly allowModelDrift: readonly ModelDrift[]
  /** The terminal that the output is for. */
  readonly color: boolean
  readonly width: number
}

/** A trace of the current tree. */
export interface RequestedTrace {
  readonly name: string
  readonly found?: {
    /** As messages call it. */
    readonly file: string
    /** The absolute path of a file with its text. */
    readonly path: string
    /** The absolute path of the trace itself: the others of its conversation lie beside it. */
    readonly origin: string
    /** Where the config of a golden is looked for. */
    readonly directory: string
  }
  /** Why it could not be found. */
  readonly problem?: { readonly code: string; readonly message: string }
}

/** The folder whose config a trace of a request is replayed with, by the trace's file. */
export function directoriesOf({ traces }: Pick<ApartRequest<unknown>, 'traces'>): (file: string) => string {
  const directories = new Map(traces.flatMap(({ found }) => (found === undefined ? [] : [[found.file, found.directory]])))
  return (file) => directories.get(file) ?? process.cwd()
}

/** A trace of a request, as commands take it. */
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
