import { meaningfulHeaders } from '../http/headers.ts'
import type { HeaderPairs } from '../trace/rows.ts'

/** A child process as an agent starts it, or a gRPC call, whose messages arrive in the same way. */
export interface ProcessStart {
  /** The step in whose body it was started; 0 for the run itself. */
  readonly owner: number
  /** The name, with the program: `process git`. */
  readonly name: string
  /** Arguments or the shell's command, the working directory, and the variables that differ from the agent's own. */
  readonly input: unknown
  /** The time limit in milliseconds, where the client keeps one. */
  readonly limit?: number | undefined
  /** For a gRPC call: its metadata. The part that carries meaning belongs to the input. */
  readonly metadata?: HeaderPairs
}

/** How a child process ended. */
export interface EndedProcess {
  readonly code: number | null
  readonly signal: string | null
  /** Set if Node ended it, for example at a time limit. */
  readonly killed?: true
}

/** How a gRPC call ended: its status and its trailers. */
export interface EndedRpc {
  readonly code: number
  readonly details?: string
  readonly metadata?: HeaderPairs
}

/** Passes the events of a recorded child process to the agent. */
export interface ProcessSink {
  /** The process is known to be a recorded one. */
  start?(): void
  /** @param stream The stream, as in a `chunk` row; undefined for standard output. */
  output(stream: string | undefined, bytes: Uint8Array): void
  /** The process has ended, and all of its output is known. */
  close(ended: EndedProcess): void
  /** The process could not be started. */
  fail(error: unknown): void
  /** Delivers an answer that the trace does not have and that is not a process's output. */
  answer?(value: unknown): void
}

/** A child process that is being recorded. */
export interface CapturedProcess extends Pick<ProcessSink, 'output' | 'fail'> {
  close(ended: EndedProcess | EndedRpc): void
  /** The connection of a gRPC call is lost. */
  breaks(error: unknown): void
  /** The process is the server of a session, which belongs to this process rather than to the run: nothing more is recorded here. */
  opensSession(): void
}

/** Returns the input of a step, with the metadata that carries meaning. @param named More names of metadata that carry meaning for this run. */
export function inputOf({ input, metadata = [] }: ProcessStart, named: readonly string[] = []): unknown {
  const kept = meaningfulHeaders(metadata, named).filter(([name]) => name !== 'content-type')
  return kept.length === 0 ? input : { ...(input as object), metadata: kept }
}
