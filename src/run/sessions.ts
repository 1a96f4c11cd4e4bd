import { processWide } from '../node/process-wide.ts'
import type { RecordedError } from '../trace/rows.ts'

/**
 * What was exchanged to open a session that outlives runs: the process that was started, and the answers of the server that say what it is and offers.
 * Each trace that uses the session has it, so that a replay can open the session again, at any time, with no server.
 */
export interface Preamble {
  /** The child process as a step names it. */
  readonly open: { readonly name: string; readonly input: unknown }
  /** The server's own name; the program's until it is known. */
  readonly server: string
  readonly answers: readonly SessionAnswer[]
}

/** A request of a session that belongs to no run, with its answer. */
export interface SessionAnswer {
  readonly method: string
  readonly params: unknown
  readonly result?: unknown
  readonly error?: unknown
  /** It was not answered by the protocol. */
  readonly failure?: SessionFailure
}

/** Why a request was not answered by the protocol: a status of HTTP, or no connection. */
export interface SessionFailure {
  readonly name: string
  readonly message: string
  readonly code?: unknown
  readonly cause?: SessionFailure
  readonly http?: unknown
}

/** The signal of a run whose own session was answered. */
export const sessionSignal = 'session'

/** What such a signal says. */
export interface SessionSignal {
  /** What opens the session, and what was asked. */
  readonly request: string
  /** Which of the answers to it that the preambles have, from 0. */
  readonly answer: number
  /** Why a connection failed. */
  readonly error?: RecordedError
}

/** The answer to a request of a run's own session. */
export interface AnswerPlace {
  /** Which of the answers to it that the preambles have, from 0. */
  readonly answer: number
  /** What it failed with. */
  readonly error?: RecordedError
  /** Calls `answer` where the recorded run had it. Absent where that has been. */
  readonly later?: (answer: () => void) => void
  /** The place is that of a request which is made later. */
  readonly giveBack?: () => void
}

/** The sessions of a replay. */
export interface AnsweredSessions {
  /** How the recorded run, or one before it, opened a session like this; empty for what is no session. */
  preamblesOf(open: Preamble['open']): readonly Preamble[]
  /** The recorded run's answer to the same request of its own session; undefined if the session was opened before it. */
  inPlace(request: string): AnswerPlace | undefined
  /** Calls `hear` for each recorded signal of this name. */
  onSignal(name: string, hear: (value: unknown) => void): void
}

/** Gives the preambles of recordings for a process that is started like this, the latest last. */
export type FindPreambles = (open: Preamble['open']) => readonly Preamble[]

const finders = processWide('preamble-finders', () => new Set<FindPreambles>())

/**
 * Makes the preambles of recordings known to the process: sessions that are opened outside of runs are answered from them.
 *
 * @returns Takes them back.
 */
export function addPreambles(find: FindPreambles): () => void {
  finders.add(find)
  return () => void finders.delete(find)
}

/** What the process knows of sessions that are opened like this. */
export function knownPreambles(open: Preamble['open']): Preamble[] {
  return [...finders].flatMap((find) => find(open))
}
