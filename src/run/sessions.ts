import { processWide } from '../node/process-wide.ts'
import type { RecordedError } from '../trace/rows.ts'

/**
 * The exchange that opened a session that outlives runs: the process that was started, and the server's answers that describe it and its
 * offers. Each trace that uses the session has the preamble, so a replay can open the session again at any time, without a server.
 */
export interface Preamble {
  /** The child process, named as by a step. */
  readonly open: { readonly name: string; readonly input: unknown }
  /** The server's own name; until it is known, the program's. */
  readonly server: string
  readonly answers: readonly SessionAnswer[]
}

/** A request of a session that belongs to no run, with its answer. */
export interface SessionAnswer {
  readonly method: string
  readonly params: unknown
  readonly result?: unknown
  readonly error?: unknown
  /** The id that the server gave the session with this answer, over HTTP. */
  readonly sessionId?: string
  /** Set if the request failed without a protocol answer. */
  readonly failure?: SessionFailure
}

/** Why a request failed without a protocol answer: an HTTP status, or no connection. */
export interface SessionFailure {
  readonly name: string
  readonly message: string
  readonly code?: unknown
  readonly cause?: SessionFailure
  readonly http?: unknown
}

/** The signal that a request of the run's own session was answered. */
export const sessionSignal = 'session'

/** The value of such a signal. */
export interface SessionSignal {
  /** The session's opening and the request. */
  readonly request: string
  /** The index, from 0, among the answers that the preambles have for this request. */
  readonly answer: number
  /** Why a connection failed. */
  readonly error?: RecordedError
}

/** The place of the answer to a request of a run's own session. */
export interface AnswerPlace extends Pick<SessionSignal, 'answer' | 'error'> {
  /** Calls `answer` at the answer's recorded place. Absent if that place has passed. */
  readonly later?: (answer: () => void) => void
  /** Gives the place back, so that a later request takes it. */
  readonly giveBack?: () => void
}

/** The sessions of a replay. */
export interface AnsweredSessions {
  /** Returns how the recorded run, or an earlier one, opened a session like this; empty if this is not a session. */
  preamblesOf(open: Preamble['open']): readonly Preamble[]
  /** Returns the place of the recorded answer to this request of the run's own session; undefined if the session was opened before the run. */
  inPlace(request: string): AnswerPlace | undefined
  /** Calls `hear` for each recorded signal of this name. */
  onSignal(name: string, hear: (value: unknown) => void): void
}

/** Returns the recorded preambles for a process that is started like this, latest last. */
export type FindPreambles = (open: Preamble['open']) => readonly Preamble[]

const finders = processWide('preamble-finders', () => new Set<FindPreambles>())

/**
 * Makes recorded preambles known to the process: sessions that are opened outside of runs are answered from them.
 *
 * @returns A function that removes them.
 */
export function addPreambles(find: FindPreambles): () => void {
  finders.add(find)
  return () => void finders.delete(find)
}

/** Returns the process's known preambles for sessions that are opened like this. */
export function knownPreambles(open: Preamble['open']): Preamble[] {
  return [...finders].flatMap((find) => find(open))
}
