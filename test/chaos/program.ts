import type { Trace } from '../../src/trace/trace.ts'

/** An agent that is recorded once and replayed many times. */
export interface Program {
  /** What there is in it to go wrong, in a few words. */
  readonly about: string
  agent(input: never): Promise<unknown>
  /** Records it, over real HTTP on loopback; what it called is gone afterwards. */
  record(): Promise<Trace>
}
