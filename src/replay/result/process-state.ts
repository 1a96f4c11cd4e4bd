import { isDeepStrictEqual } from 'node:util'
import { processWide } from '../../node/process-wide.ts'
import { knownOrMade } from '../../trace/remember.ts'
import { withDivergences } from './agent-lines.ts'
import type { ReplayedRun } from '../contract/replayed-run.ts'
import type { ReplayOptions } from '../contract/replay-options.ts'

type Agent = (input: never, context: never) => unknown

/** The circumstances in which a trace held. */
interface Held {
  readonly options: Omit<ReplayOptions, 'context'>
  /** Held weakly, because a context may contain a database. */
  readonly context: unknown
}

/** By agent and trace. The agent is identified by its function: a reloaded one, or one created for a single test, is a different agent. */
const heldBefore = processWide('held before', () => new WeakMap<Agent, Map<string, Held>>())

/**
 * Marks differences as process state if the same trace held earlier in this process, with the same agent and equal options: code and answers
 * are the same, so the process must have kept something.
 */
export function withProcessState<Run extends ReplayedRun>(run: Run, agent: Agent, options: ReplayOptions): Run {
  const { golden, id } = run.trace.header
  if (golden?.expect.replay === 'departs') return run
  const key = JSON.stringify([id, golden?.name, golden?.promotedAt, golden?.rebasedAt, run.trace.rows.length])
  const held = knownOrMade(heldBefore, agent, () => new Map<string, Held>())
  const [first, ...others] = run.divergences
  if (first === undefined) {
    held.set(key, toHeld(options))
    return run
  }
  const before = held.get(key)
  return before !== undefined && isEqual(before, options) ? withDivergences(run, [{ ...first, heldBefore: true }, ...others]) : run
}

function toHeld({ context, ...options }: ReplayOptions): Held {
  return { options, context: isObject(context) ? new WeakRef(context) : context }
}

function isEqual(before: Held, { context, ...options }: ReplayOptions): boolean {
  const known = before.context instanceof WeakRef ? (before.context as WeakRef<object>).deref() : before.context
  return (known === context || (known !== undefined && isDeepStrictEqual(known, context))) && isDeepStrictEqual(before.options, options)
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
