/** An agent, a change of it, and what every surface has to say about each golden of the changed agent. Written from the change, before any run. */
export interface ChangedAgent {
  /** The name of its file, its agent and its goldens. */
  readonly name: string
  /** Its module, which exports `agent`. It may call `MODEL`, the base address of a model provider, and `SHOP`, that of a service. */
  readonly code: string
  /** The change: a text of the module, and what takes its place. */
  readonly change: readonly [from: string, to: string]
  /** The runs that were recorded, in one process, one after another. Default: one with an empty input. */
  readonly inputs?: readonly object[]
  /** Whether the runs are one conversation. Default: each is a golden of its own. */
  readonly isConversation?: true
  /** For a run that went wrong: how its golden expects the agent to depart. */
  readonly incident?: Readonly<Record<string, unknown>>
  /** By the number of the run. A golden that is not listed holds. */
  readonly says: Readonly<Record<number, Said>>
}

/** What is said about a golden that does not hold. */
export interface Said {
  /** The headline behind the golden's name. */
  readonly headline: string
  /** A text that only the line of the changed module has that is named. Absent if no line is named. */
  readonly at?: string
  /**
   * The same in a script and in tests of the project's own, where no other process looks for the line: that of the line that waits for the call, or
   * `none` if a client hides it. Default: `at`.
   */
  readonly atInTests?: string
  /** How the first advice begins. */
  readonly advice: string
}

/** The goldens of an agent's runs, in order. */
export function goldensOf({ name, inputs = [{}], isConversation }: ChangedAgent): string[] {
  return inputs.map((_, index) => (isConversation === true ? `${name}/${index + 1}` : inputs.length === 1 ? name : `${name}-${index + 1}`))
}

/** What has to be said about each golden that does not hold, by its name. @param isInTest Whether no other process looks for the line. */
export function expectedOf(agent: ChangedAgent, isInTest: boolean): Record<string, ExpectedVerdict> {
  return Object.fromEntries(
    goldensOf(agent).flatMap((golden, index) => {
      const said = agent.says[index + 1]
      if (said === undefined) return []
      const { headline, advice, at, atInTests = at } = said
      const text = isInTest ? atInTests : at
      return [[golden, { headline, advice, line: text === undefined || text === 'none' ? undefined : lineOf(agent, text) }]]
    }),
  )
}

/** A verdict, with the file and the number of the line that is named. */
interface ExpectedVerdict {
  readonly headline: string
  readonly line: string | undefined
  readonly advice: string
}

function lineOf({ name, code, change: [from, to] }: ChangedAgent, text: string): string {
  const lines = `${head}\n${code.replace(from, () => to)}`.split('\n').flatMap((line, index) => (line.includes(text) ? [index + 1] : []))
  if (lines.length !== 1) throw new Error(`${name}: ${lines.length} lines have the text ${text}`)
  return `agents/${name}.js:${lines.join('')}`
}

/** The first lines of every agent: where the world is, and a client of a package, whose queue hides the agent's line from V8. */
const head = `import { checkpoint, external, tool } from 'goldenrun'
import { createClient } from 'shop-client'
const MODEL = '<model>', SHOP = '<shop>'
const { get, post } = createClient(SHOP)`

/** The module of an agent, before or after its change. */
export function moduleOf(
  { name, code, change: [from, to] }: ChangedAgent,
  isChanged: boolean,
  world: { model: string; shop: string },
): string {
  if (code.split(from).length !== 2) throw new Error(`${name}: its code has the text ${from} ${code.split(from).length - 1} times`)
  const text = `${head}\n${isChanged ? code.replace(from, () => to) : code}`
  return text.replace('<model>', world.model).replace('<shop>', world.shop)
}
