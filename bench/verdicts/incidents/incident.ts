import type { Expectation } from '../../../src/trace/run-row.ts'
import type { IncidentOptions } from '../../../src/replay/goldens/promotion/expect-departure.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import type { World, WorldScript } from './world.ts'

/** What somebody who knows the incident, and not our rule, says of an agent. */
export type Expected =
  /** The incident cannot happen any more. */
  | 'holds'
  /** It can, or the agent never gets as far, or does other harm. */
  | 'does not hold'
  /** It depends on an answer that nobody has recorded or given. */
  | 'cannot tell'

/** An agent: what was recorded, or a change of it. */
export type IncidentAgent = (input: never) => Promise<unknown>

/** One way to promote the incident. */
export interface Way {
  readonly name: string
  /** Given the recorded trace. */
  promote(trace: Trace): IncidentOptions
  /** How the tools are replayed. Default: stubbed. */
  readonly tools?: NonNullable<Extract<Expectation, { replay: 'departs' }>['tools']>
}

/** A change of the agent, with what is expected of it: in every way of promoting, or by the name of the way. */
export interface Variant {
  readonly name: string
  readonly expect: Expected | Readonly<Record<string, Expected>>
  agent(world: World): IncidentAgent
}

/** A run that went wrong, and agents that are held against it. */
export interface Incident {
  readonly name: string
  /** What happened. */
  readonly story: string
  readonly input: unknown
  readonly script: WorldScript
  readonly ways: readonly Way[]
  /** The agent as it was. It never holds. */
  original(world: World): IncidentAgent
  readonly variants: readonly Variant[]
}

/** The number of the nth step of a name, 1 for the first. */
export function stepOf({ steps }: Trace, name: string, nth = 1): number {
  const found = steps.filter((step) => step.name === name)[nth - 1]
  if (found === undefined) throw new Error(`The recorded run has no ${nth}. ${name}.`)
  return found.step
}
