import { meaningfulHeaders } from '../http/headers.ts'
import type { HeaderPairs } from '../trace/rows.ts'

/** A child process as an agent starts it; or a call of gRPC, whose messages arrive in the same way. */
export interface ProcessStart {
  /** The step in whose body it was started, 0 for the run itself. */
  readonly owner: number
  /** Its program: `process git`. */
  readonly name: string
  /** Arguments or the shell's command, the working directory, and the variables that differ from the agent's own. */
  readonly input: unknown
  /** How many milliseconds it may take, where its client keeps that limit. */
  readonly limit?: number | undefined
  /** Of a call of gRPC: its metadata. What carries meaning of it is part of the input. */
  readonly metadata?: HeaderPairs
}

/** How a child process ended. */
export interface EndedProcess {
  readonly code: number | null
  readonly signal: string | null
  /** Node ended it, as at a time limit. */
  readonly killed?: true
}

/** How a call of gRPC ended: its status and its trailers. */
export interface EndedRpc {
  readonly code: number
  readonly details?: string
  readonly metadata?: HeaderPairs
}

/** Where what a recorded child process does goes: to the agent. */
export interface ProcessSink {
  /** It is known to be a recorded one. */
  start?(): void
  /** @param stream As in a `chunk` row; undefined for the standard output. */
  output(stream: string | undefined, bytes: Uint8Array): void
  /** It has ended, and all of its output is known. */
  close(ended: EndedProcess): void
  /** It could not be started. */
  fail(error: unknown): void
  /** Takes an answer that the trace does not have, if that is not a process's output. */
  answer?(value: unknown): void
}

/** A child process that is being recorded. */
export interface CapturedProcess extends Pick<ProcessSink, 'output' | 'fail'> {
  close(ended: EndedProcess | EndedRpc): void
  /** It breaks off: a call of gRPC whose connection is lost. */
  breaks(error: unknown): void
  /** It is the server of a session, which belongs to the process more than to the run: there is nothing more to say of it. */
  opensSession(): void
}

/** The input of a step: with the metadata that carries meaning, if there is any. @param named Names of metadata that does for this run. */
export function inputOf({ input, metadata = [] }: ProcessStart, named: readonly string[] = []): unknown {
  const kept = meaningfulHeaders(metadata, named).filter(([name]) => name !== 'content-type')
  return kept.length === 0 ? input : { ...(input as object), metadata: kept }
}
