import { processWide } from '../node/process-wide.ts'

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
}

/** The signal of a run whose own session was answered: what opens it, and what was asked. */
export const sessionSignal = 'session'

/** The sessions of a replay. */
export interface AnsweredSessions {
  /** How the recorded run, or one before it, opened a session like this; empty for what is no session. */
  preamblesOf(open: Preamble['open']): readonly Preamble[]
  /**
   * Calls `answer` where the recorded run had the answer to the same request of its own session. Returns whether there is one to come: it may have come
   * already, or the session was opened before the recorded run.
   */
  inPlace(request: string, answer: () => void): boolean
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
