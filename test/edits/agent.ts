import OpenAI from 'openai'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { tool } from '../../src/run/tool.ts'
import { type Clock, realClock } from './clock.ts'
import type { Argument, ModelStatement, Program, Statement, ToolStatement } from './program.ts'
import type { RunLog } from './run-log.ts'
import type { World } from './world.ts'

/** A sleep of so many milliseconds outlasts every tool. */
export const longSleep = 300

/** What an agent is given: the number of its case, from which the world takes how long everything lasts. */
export interface CaseInput {
  readonly seed: number
}

/** What it comes to. */
export interface CaseOutput {
  readonly text: string
  /** What the tools answered, in the order in which they did. */
  readonly heard: readonly string[]
}

/**
 * The agent that does what a program says: with the real `openai` SDK and real tools. It tells `log` of what it does.
 *
 * @param clock Default: real timers.
 */
export function createAgent(
  program: Program,
  world: World,
  log: RunLog,
  clock: Clock = realClock,
): (input: CaseInput) => Promise<CaseOutput> {
  return async ({ seed }) => {
    const performance = new Performance(world, seed, log, clock)
    await performance.do(program, { calls: new Set(), slept: new Set() }, performance.heard)
    return { text: performance.text, heard: performance.heard }
  }
}

/** What stands behind a point of the program: it has waited for the answers of these calls, and slept these sleeps. */
interface Behind {
  readonly calls: ReadonlySet<number>
  readonly slept: ReadonlySet<string>
}

/** One run of a program. */
class Performance {
  readonly heard: string[] = []
  text = ''
  readonly #world: World
  readonly #seed: number
  readonly #log: RunLog
  readonly #clock: Clock
  readonly #client: OpenAI
  readonly #drawn = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  #asked: string[] = []
  #attempts = 0

  constructor(world: World, seed: number, log: RunLog, clock: Clock) {
    this.#clock = clock
    this.#world = world
    this.#seed = seed
    this.#log = log
    const count: typeof fetch = (...request) => {
      this.#attempts += 1
      return fetch(...request)
    }
    this.#client = new OpenAI({ apiKey: 'sk-local', baseURL: world.baseUrl, fetch: count })
  }

  /** Does one statement after the other; what tools answer goes to `heard`. */
  async do(program: Program, behind: Behind, heard: string[], isBranch = false): Promise<Behind> {
    let now = behind
    let isLate = false
    for (const statement of program) {
      isLate ||= isBranch && statement.kind === 'sleep' && statement.milliseconds >= longSleep
      now = await this.#doOne(statement, now, heard, isLate)
    }
    return now
  }

  async #doOne(statement: Statement, behind: Behind, heard: string[], isLate: boolean): Promise<Behind> {
    switch (statement.kind) {
      case 'tool':
        return await this.#callTool(statement, behind, heard, isLate)
      case 'model':
        return await this.#clock.during(() => this.#askModel(statement, behind))
      case 'sleep':
        await this.#clock.sleep(statement.milliseconds)
        return { ...behind, slept: new Set([...behind.slept, `${statement.id} ${statement.milliseconds}`]) }
      case 'clock':
        this.#drawn.set(statement.id, new Date().toISOString())
        return behind
      case 'random':
        this.#drawn.set(statement.id, String(Math.random()))
        return behind
      case 'checkpoint': {
        const state = this.heard.toSorted()
        checkpoint(statement.id, { heard: state })
        this.#log.checkpoints.push({ id: statement.id, state: state.join('\n'), calls: this.#log.calls.length })
        return behind
      }
      case 'parallel': {
        const reached = await Promise.all(statement.branches.map((branch) => this.do(branch, behind, heard, true)))
        return {
          calls: new Set(reached.flatMap(({ calls }) => [...calls])),
          slept: new Set(reached.flatMap(({ slept }) => [...slept])),
        }
      }
      case 'race': {
        const first = await Promise.race(statement.branches.map((branch) => this.#doBranch(branch, behind)))
        heard.push(...(first.heard.length > 0 ? first.heard : ['nothing in time']))
        this.#log.winner = first.last
        return first.behind
      }
      case 'heartbeat': {
        const timer = setInterval(() => undefined, statement.milliseconds)
        try {
          return await this.do(statement.body, behind, heard)
        } finally {
          clearInterval(timer)
        }
      }
    }
  }

  async #doBranch(branch: Program, behind: Behind): Promise<{ behind: Behind; heard: string[]; last: string }> {
    const heard: string[] = []
    return { behind: await this.do(branch, behind, heard), heard, last: branch.at(-1)?.id ?? '' }
  }

  async #callTool(statement: ToolStatement, behind: Behind, heard: string[], isLate: boolean): Promise<Behind> {
    const { id, name, effect } = statement
    const args = Object.fromEntries(Object.entries(statement.arguments).map(([key, value]) => [key, this.#argument(value)]))
    const label = `${name} ${JSON.stringify(statement.arguments)}`
    const call = this.#log.call({ id, label, ...standingBehind(behind), ...(effect && { effect }), ...(isLate && { isLate }) })
    const answer = await tool(name, effect === undefined ? {} : { effect }, async (_args: object) => await this.#answer(label))(args)
    this.#log.settled.push(call)
    heard.push(answer)
    return andCall(behind, call)
  }

  /** The body of every tool: it works for a while, and answers otherwise when it is called again. */
  async #answer(label: string): Promise<string> {
    const count = (this.#counts.get(label) ?? 0) + 1
    this.#counts.set(label, count)
    await this.#clock.sleep(this.#world.duration(this.#seed, label, count))
    return `${label} #${count}`
  }

  async #askModel({ id, prompt, told, retries }: ModelStatement, behind: Behind): Promise<Behind> {
    const call = this.#log.call({ id, label: `model ${prompt}`, ...standingBehind(behind) })
    this.#attempts = 0
    try {
      const content = [`Case ${this.#seed}. ${prompt}`, ...(told ? this.heard : [])].join('\n')
      const stream = await this.#client.chat.completions.create(
        { model: 'gpt-4.1-mini', messages: [{ role: 'user', content }], stream: true },
        { maxRetries: retries },
      )
      const asked: string[] = []
      for await (const { choices } of stream) {
        this.text += choices[0]?.delta.content ?? ''
        for (const { index, function: part } of choices[0]?.delta.tool_calls ?? []) {
          asked[index] = (asked[index] ?? '') + (part?.arguments ?? '')
        }
      }
      if (asked.length > 0) this.#asked = asked
    } finally {
      const logged = this.#log.calls[call]
      if (logged !== undefined) logged.attempts = this.#attempts
    }
    this.#log.settled.push(call)
    return andCall(behind, call)
  }

  #argument(value: Argument): string {
    if (typeof value === 'string') return value
    return 'drawn' in value ? (this.#drawn.get(value.drawn) ?? '') : (this.#asked[value.asked] ?? '')
  }
}

function standingBehind({ calls, slept }: Behind): { readonly after: ReadonlySet<number>; readonly slept: ReadonlySet<string> } {
  return { after: calls, slept }
}

function andCall({ calls, slept }: Behind, call: number): Behind {
  return { calls: new Set([...calls, call]), slept }
}
