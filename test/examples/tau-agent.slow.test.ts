import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { describe, expect, it } from 'vitest'
import { toTauInput } from '../../examples/tau/record-all.ts'
import { createTauAgent, type TauAgentOptions, type TauOutput } from '../../examples/tau/tau-agent.ts'
import { listTauRuns, loadTauRun, TAU_FOLDER, type TauRun } from '../../examples/tau/tau-run.ts'
import { TAU_TOOLS } from '../../examples/tau/tau-tools.ts'
import { startTauWorld } from '../../examples/tau/tau-world.ts'
import type { Exchange } from '../../examples/world/exchange.ts'
import { isJsonObject } from '../../examples/world/json.ts'

const files = listTauRuns()

/** A message as the data has it. */
interface RawMessage {
  readonly role: string
  readonly content: string | null
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[]
  readonly tool_call_id?: string
}

// The recorded runs are third-party data that lies beside the repository, not in it.
describe.skipIf(files.length === 0)(`over the recorded runs in ${TAU_FOLDER}`, () => {
  it('goes through all 32 runs, word for word as recorded, with 343 tool calls', async () => {
    const passed = await passOverAllRuns()
    for (const { file, output } of passed) expect(output.messages.map(toComparable), file).toEqual(readRaw(file).map(toComparable))
    expect(passed).toHaveLength(32)
    expect(passed.flatMap(({ output }) => output.messages.filter(({ role }) => role === 'tool'))).toHaveLength(343)
  })

  it('calls a tool for each recorded call, with its arguments and in its order', async () => {
    const passed = await passOverAllRuns()
    for (const { file, called } of passed) {
      const recorded = readRaw(file)
        .flatMap((message) => message.tool_calls ?? [])
        .map((call, index) => ({ name: call.function.name, args: JSON.parse(call.function.arguments) as unknown, index }))
      expect(called, file).toEqual(recorded)
    }
    expect(passed.flatMap(({ called }) => called)).toHaveLength(343)
  })

  it('ends where the customer stops, where a person takes over, and after thirty turns', async () => {
    const passed = await passOverAllRuns()
    const namesOf = (end: string): string[] =>
      passed.filter(({ output }) => output.ended === end).map(({ file }) => basename(file, '.json'))
    expect(namesOf('transferred')).toEqual([
      'airline-task008-trial1',
      'airline-task013-trial2',
      'airline-task020-trial1',
      'airline-task037-trial0',
      'retail-task012-trial12',
      'retail-task041-trial41',
      'retail-task098-trial98',
    ])
    expect(namesOf('out-of-turns')).toEqual(['airline-task009-trial2', 'airline-task046-trial3', 'retail-task020-trial20'])
    expect(namesOf('stopped-by-user')).toHaveLength(22)
  })

  it('holds the same conversations with streamed answers, all at once', async () => {
    const passed = await Promise.all(files.map(async (file) => ({ file, ...(await runAgent(loadTauRun(file), { streaming: true })) })))
    for (const { file, output, exchanges } of passed) {
      expect(output.messages.map(toComparable), file).toEqual(readRaw(file).map(toComparable))
      expect(exchanges.every(({ body }) => isJsonObject(body) && body['stream'] === true)).toBe(true)
    }
  })

  it('sends the tools of its own shop with every request', async () => {
    const { exchanges } = await runAgent(findRun('airline-task043-trial0'))
    for (const { body } of exchanges) {
      const names =
        isJsonObject(body) && Array.isArray(body['tools'])
          ? body['tools'].map((tool: { function: { name: string } }) => tool.function.name)
          : []
      expect(names).toEqual(TAU_TOOLS.airline.map((tool) => tool.name))
    }
    expect(exchanges).toHaveLength(6)
  })

  it('has a definition of every tool, made of its name and of all its calls', () => {
    expect(TAU_TOOLS.airline.map((tool) => tool.name)).toHaveLength(13)
    expect(TAU_TOOLS.retail.map((tool) => tool.name)).toHaveLength(16)
    expect(TAU_TOOLS.airline.find((tool) => tool.name === 'update_reservation_baggages')).toEqual({
      name: 'update_reservation_baggages',
      effect: 'write',
      description: 'Update reservation baggages.',
      parameters: {
        type: 'object',
        properties: {
          nonfree_baggages: { type: 'integer' },
          payment_id: { type: 'string' },
          reservation_id: { type: 'string' },
          total_baggages: { type: 'integer' },
        },
        required: ['nonfree_baggages', 'payment_id', 'reservation_id', 'total_baggages'],
        additionalProperties: false,
      },
    })
    expect(TAU_TOOLS.airline.filter((tool) => tool.effect === 'write').map((tool) => tool.name)).toEqual([
      'book_reservation',
      'cancel_reservation',
      'send_certificate',
      'update_reservation_baggages',
      'update_reservation_flights',
      'update_reservation_passengers',
    ])
    expect(TAU_TOOLS.retail.filter((tool) => tool.effect === 'write').map((tool) => tool.name)).toEqual([
      'cancel_pending_order',
      'exchange_delivered_order_items',
      'modify_pending_order_address',
      'modify_pending_order_items',
      'modify_pending_order_payment',
      'modify_user_address',
      'return_delivered_order_items',
    ])
  })

  it('changes what a test asks it to change, and nothing else', async () => {
    const run = findRun('airline-task043-trial0')
    const first = async (options: TauAgentOptions): Promise<Record<string, unknown>> => {
      const { exchanges } = await runAgent(run, options)
      const body = exchanges[0]?.body
      return isJsonObject(body) ? body : {}
    }
    const plain = await first({})
    const withPrompt = await first({ systemPrompt: 'Be rude.' })
    expect(withPrompt).toEqual({
      ...plain,
      messages: [{ role: 'system', content: 'Be rude.' }, ...(plain['messages'] as unknown[]).slice(1)],
    })
    const withTurn = await first({ mapUserTurn: (text, index) => (index === 0 ? `${text} Quickly!` : text) })
    expect(withTurn['messages']).toMatchObject([{ role: 'system' }, { role: 'user', content: `${run.messages[1]?.content} Quickly!` }])
    const withDescription = await first({ toolDescription: { think: 'Ponder.' } })
    const tools = plain['tools'] as { function: { name: string } }[]
    expect(withDescription).toEqual({
      ...plain,
      tools: tools.map((tool) =>
        tool.function.name === 'think' ? { ...tool, function: { ...tool.function, description: 'Ponder.' } } : tool,
      ),
    })
  })

  it('says which tool was recorded where the agent calls another', async () => {
    await using world = await startTauWorld(findRun('airline-task043-trial0'))
    await expect(world.context.callTool('think', {})).rejects.toThrow(
      'The next tool call of airline-task043-trial0 is get_reservation_details, the agent called think.',
    )
  })
})

interface Passed {
  readonly file: string
  readonly output: TauOutput
  /** The tool calls as the agent made them. */
  readonly called: readonly unknown[]
}

let allRuns: Promise<Passed[]> | undefined

/** Runs the agent through every run, once for all tests that look at the result. */
function passOverAllRuns(): Promise<Passed[]> {
  allRuns ??= Promise.all(
    files.map(async (file) => {
      const called: unknown[] = []
      const mapArguments = (name: string, args: unknown, index: number): unknown => {
        called.push({ name, args, index })
        return args
      }
      const { output } = await runAgent(loadTauRun(file), { mapArguments })
      return { file, output, called }
    }),
  )
  return allRuns
}

async function runAgent(run: TauRun, options: TauAgentOptions = {}): Promise<{ output: TauOutput; exchanges: readonly Exchange[] }> {
  await using world = await startTauWorld(run)
  const output = await createTauAgent(options)(toTauInput(run), world.context)
  return { output, exchanges: world.provider.exchanges }
}

function findRun(name: string): TauRun {
  const file = files.find((candidate) => candidate.includes(name))
  if (file === undefined) throw new Error(`There is no recorded run ${name}.`)
  return loadTauRun(file)
}

/** Reads the data without the code under test. */
function readRaw(file: string): RawMessage[] {
  const run: { traj: RawMessage[] } = JSON.parse(readFileSync(file, 'utf8'))
  return run.traj
}

/** What the agent's messages and the data's have in common: role, content, calls as printed, and the call that a result answers. */
function toComparable(message: RawMessage | ChatCompletionMessageParam): unknown {
  const calls = 'tool_calls' in message ? message.tool_calls : undefined
  return {
    role: message.role,
    content: message.content,
    calls: calls?.map((call) => ({
      id: call.id,
      ...('function' in call && { name: call.function.name, printed: call.function.arguments }),
    })),
    answers: 'tool_call_id' in message ? message.tool_call_id : undefined,
  }
}
