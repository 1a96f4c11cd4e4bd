import OpenAI from 'openai'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { tool } from '../../src/run/tool.ts'
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

/** The agent that does what a program says: with the real `openai` SDK, real tools and real timers. It tells `log` of what it does. */
export function createAgent(program: Program, world: World, log: RunLog): (input: CaseInput) => Promise<CaseOutput> {
  return async ({ seed }) => {
    const performance = new Performance(world, seed, log)
    await performance.do(program, new Set(), performance.heard)
    return { text: performance.text, heard: performance.heard }
  }
}

/** The calls that stand behind a point of the program: it has waited for their answers. */
type Behind = ReadonlySet<number>

/** One run of a program. */
class Performance {
  readonly heard: string[] = []
  text = ''
  readonly #world: World
  readonly #seed: number
  readonly #log: RunLog
  readonly #client: OpenAI
  readonly #drawn = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  #asked: string[] = []
  #attempts = 0

  constructor(world: World, seed: number, log: RunLog) {
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
        return await this.#askModel(statement, behind)
      case 'sleep':
        await new Promise((resolve) => setTimeout(resolve, statement.milliseconds))
        return behind
      case 'clock':
        this.#drawn.set(statement.id, new Date().toISOString())
        return behind
      case 'random':
        this.#drawn.set(statement.id, String(Math.random()))
        return behind
      case 'checkpoint': {
        const state = this.heard.toSorted()
        checkpoint(statement.id, { heard: state })
        this.#log.checkpoints.push({ id: statement.id, state: state.join('\n') })
        return behind
      }
      case 'parallel': {
        const reached = await Promise.all(statement.branches.map((branch) => this.do(branch, behind, heard, true)))
        return new Set(reached.flatMap((branch) => [...branch]))
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
    const call = this.#log.call({ id, label, after: behind, ...(effect && { effect }), ...(isLate && { isLate }) })
    const answer = await tool(name, effect === undefined ? {} : { effect }, async (_args: object) => await this.#answer(label))(args)
    this.#log.settled.push(call)
    heard.push(answer)
    return new Set([...behind, call])
  }

  /** The body of every tool: it works for a while, and answers otherwise when it is called again. */
  async #answer(label: string): Promise<string> {
    const count = (this.#counts.get(label) ?? 0) + 1
    this.#counts.set(label, count)
    await new Promise((resolve) => setTimeout(resolve, this.#world.duration(this.#seed, label, count)))
    return `${label} #${count}`
  }

  async #askModel({ id, prompt, told, retries }: ModelStatement, behind: Behind): Promise<Behind> {
    const call = this.#log.call({ id, label: `model ${prompt}`, after: behind })
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
    return new Set([...behind, call])
  }

  #argument(value: Argument): string {
    if (typeof value === 'string') return value
    return 'drawn' in value ? (this.#drawn.get(value.drawn) ?? '') : (this.#asked[value.asked] ?? '')
  }
}
