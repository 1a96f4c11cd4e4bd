/** A child process as an agent starts it. */
export interface ProcessStart {
  /** The step in whose body it was started, 0 for the run itself. */
  readonly owner: number
  /** Its program: `process git`. */
  readonly name: string
  /** Arguments or the shell's command, the working directory, and the variables that differ from the agent's own. */
  readonly input: unknown
}

/** How a child process ended. */
export interface EndedProcess {
  readonly code: number | null
  readonly signal: string | null
  /** Node ended it, as at a time limit. */
  readonly killed?: true
}

/** Where what a child process does goes: to the trace when recording, to the agent when replaying. */
export interface ProcessSink {
  /** It is started: in a replay, once it is known to be a recorded one. */
  start(): void
  /** @param stream As in a `chunk` row; undefined for the standard output. */
  output(stream: string | undefined, bytes: Uint8Array): void
  /** It has ended, and all of its output is known. */
  close(ended: EndedProcess): void
  /** It could not be started. */
  fail(error: unknown): void
}

/** A child process that is being recorded. */
export interface CapturedProcess extends ProcessSink {
  /** It is the server of a session, which belongs to the process more than to the run: there is nothing more to say of it. */
  opensSession(): void
}
