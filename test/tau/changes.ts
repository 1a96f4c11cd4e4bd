import type { TauAgentOptions } from '../../examples/tau/tau-agent.ts'
import type { Cause, InputPart } from '../../src/divergence/divergence.ts'
import { rawToolSteps, type RawRun } from './raw-run.ts'

/** Where and how a replay first differs from its trace. */
export interface Difference {
  readonly step: number
  readonly position: 'at' | 'after'
  readonly cause: Cause
  readonly parts: readonly InputPart[]
}

/** A change of the agent, with what follows from the data alone: in which runs it shows, and where first. */
export interface Change {
  /** The changed agent's options in a run with that system prompt. */
  readonly options: (systemPrompt: string) => TauAgentOptions
  /** The first difference in a run; undefined where the run does not carry what is changed. */
  readonly shows: (run: RawRun) => Difference | undefined
}

/** Other words in the system prompt. It is sent with the first model call. */
export function changePrompt(from: string, to: string): Change {
  return {
    options: (systemPrompt) => ({ systemPrompt: systemPrompt.replace(from, to) }),
    shows: (run) => (run.messages[0]?.content?.includes(from) === true ? firstModelCall(run, 'system-prompt') : undefined),
  }
}

/** Another description of one tool. It is sent with the first model call of every run in a shop where any of `runs` calls the tool. */
export function changeDescription(tool: string, runs: readonly RawRun[]): Change {
  const shops = new Set(runs.filter((run) => rawToolSteps(run).some(({ name }) => name === tool)).map(({ shop }) => shop))
  return {
    options: () => ({ toolDescription: { [tool]: 'Use it with care.' } }),
    shows: (run) => (shops.has(run.shop) ? firstModelCall(run, 'tool-schema') : undefined),
  }
}

/** Another value of one argument of one tool, wherever the agent would pass that value. */
export function changeArgument(tool: string, argument: string, from: unknown): Change {
  const isMeant = (name: string, args: Readonly<Record<string, unknown>>): boolean =>
    name === tool && argument in args && JSON.stringify(args[argument]) === JSON.stringify(from)
  return {
    options: () => ({
      mapArguments(name, args) {
        const given = args as Readonly<Record<string, unknown>>
        return isMeant(name, given) ? { ...given, [argument]: toOther(from) } : given
      },
    }),
    shows(run) {
      const call = rawToolSteps(run).find(({ name, args }) => isMeant(name, args))
      return call && { step: call.step, position: 'at', cause: 'input', parts: ['args'] }
    },
  }
}

/** Another wording of what a customer says. It is sent with the next model call; where none follows, it shows in what the agent returns. */
export function changeUserTurn(from: string): Change {
  return {
    options: () => ({ mapUserTurn: (text) => (text === from ? `${text} (changed)` : text) }),
    shows({ messages }) {
      const said = messages.findIndex(({ role, content }) => role === 'user' && content === from)
      if (said === -1) return undefined
      const asked = messages.findIndex(({ role }, index) => role === 'assistant' && index > said)
      if (asked === -1) return { step: messages.length - 1, position: 'after', cause: 'outcome', parts: [] }
      return { step: asked, position: 'at', cause: 'input', parts: ['messages'] }
    },
  }
}

function firstModelCall({ messages }: RawRun, part: InputPart): Difference {
  return { step: messages.findIndex(({ role }) => role === 'assistant'), position: 'at', cause: 'input', parts: [part] }
}

/** A value of the same type that no run has. */
function toOther(value: unknown): unknown {
  if (typeof value === 'number') return value + 1_000_003
  return Array.isArray(value) ? [...(value as unknown[]), 'changed'] : `${String(value)} (changed)`
}
