import type { Expectation } from '../../../src/trace/run-row.ts'
import type { IncidentOptions } from '../../../src/replay/goldens/promotion/expect-departure.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import type { World, WorldScript } from './world.ts'

/** The judgment of somebody who knows the incident, and not our rule. */
export type Expected =
  /** The incident can no longer happen. */
  | 'holds'
  /** It can, or the agent never gets that far, or it does other harm. */
  | 'does not hold'
  /** It depends on an answer that was neither recorded nor given. */
  | 'cannot tell'

/** An agent: the recorded one, or a changed one. */
export type IncidentAgent = (input: never) => Promise<unknown>

/** One way to promote the incident. */
export interface Way {
  readonly name: string
  /** Returns the options for the recorded trace. */
  promote(trace: Trace): IncidentOptions
  /** How the tools are replayed. Default: stubbed. */
  readonly tools?: NonNullable<Extract<Expectation, { replay: 'departs' }>['tools']>
}

/** A change of the agent, and the expected verdict: in every way of promoting, or by the name of the way. */
export interface Variant {
  readonly name: string
  readonly expect: Expected | Readonly<Record<string, Expected>>
  agent(world: World): IncidentAgent
}

/** A run that went wrong, and agents to judge by its golden. */
export interface Incident {
  readonly name: string
  /** What happened. */
  readonly story: string
  readonly input: unknown
  readonly script: WorldScript
  readonly ways: readonly Way[]
  /** The original agent. It never holds. */
  original(world: World): IncidentAgent
  readonly variants: readonly Variant[]
}

/** Returns the number of the nth step with a name, counting from 1. */
export function stepOf({ steps }: Trace, name: string, nth = 1): number {
  const found = steps.filter((step) => step.name === name)[nth - 1]
  if (found === undefined) throw new Error(`The recorded run has no ${nth}. ${name}.`)
  return found.step
}
