import type { Step } from '../../trace/trace.ts'
import type { Divergence, FieldDifference } from '../divergence.ts'
import { isFields } from '../same-value.ts'
import { optionAdvice, quoted } from './option-advice.ts'
import type { Advice } from './report.ts'
import type { ReportedRun } from './reported-run.ts'

/** How many tools are named one by one. */
const named = 3

/** Shorter texts within a longer one may be anywhere. */
const shortest = 3

/** The tools that did not run before a divergence, and whether one of them may have kept what the replay lacks. */
interface ToolState {
  readonly tools: readonly string[]
  /** Whether the recorded value at a place that differs was an argument or a result of these tools. */
  readonly isSeen: boolean
}

/** Which tools may keep something in memory: a tool does not run in a replay, and then keeps nothing. Undefined if there are none. */
export function toolStateOf({ trace, stubbedTools = [] }: ReportedRun, { step: number, differences }: Divergence): ToolState | undefined {
  const stubbed = new Set(stubbedTools)
  const steps = trace.steps.filter(({ step, boundary, name }) => step <= number && boundary === 'tool' && stubbed.has(name))
  const seen = steps.filter(({ input, output }) =>
    [...leavesOf(input), ...leavesOf(output)].some((leaf) => differences.some((each) => isLacked(each, leaf))),
  )
  if (steps.length === 0) return undefined
  return { tools: namesOf(seen.length > 0 ? seen : steps), isSeen: seen.length > 0 }
}

/** How to run the tools, so that they keep in the replay what they kept in the recorded run. */
export function runToolsAdvice(run: ReportedRun, { tools }: ToolState): Advice {
  const modes = tools.map((name) => `${isIdentifier(name) ? name : quoted(name)}: 'run'`)
  const change =
    tools.length === 1 ? `${tools[0]} changes what the agent has in memory, run it` : 'they change what the agent has in memory, run them'
  return optionAdvice(run, {
    id: 'run-tools',
    words: `Tools do not run in a replay. If ${change}`,
    option: tools.length > named ? "tools: 'run'" : `tools: { ${modes.join(', ')} }`,
    of: 'replay',
  })
}

function namesOf(steps: readonly Step[]): string[] {
  return [...new Set(steps.map(({ name }) => name))]
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name)
}

/** Whether only the recorded side has a text or a number. */
function isLacked({ expected, received }: FieldDifference, leaf: string | number): boolean {
  const has = (value: unknown): boolean => leavesOf(value).some((each) => each === leaf || isWithin(each, leaf))
  return has(expected) && !has(received)
}

function isWithin(text: string | number, leaf: string | number): boolean {
  if (typeof text !== 'string') return false
  return typeof leaf === 'number' ? text.split(/[^\d.-]+/).includes(String(leaf)) : leaf.length >= shortest && text.includes(leaf)
}

/** The texts and numbers of a value, at any depth. */
function leavesOf(value: unknown): (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number') return [value]
  return Array.isArray(value) || isFields(value) ? Object.values(value).flatMap(leavesOf) : []
}
