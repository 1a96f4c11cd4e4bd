import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, expect, it, vi } from 'vitest'
import { FIX } from '../../examples/support-agent/fix.ts'
import type { SupportInput, SupportOutput } from '../../examples/support-agent/loop.ts'
import { CANCEL_UNSHIPPED, REFUND_LOST_ORDER } from '../../examples/support-agent/scripts.ts'
import { startSupportWorld, type SupportWorld } from '../../examples/support-agent/start-world.ts'
import { isJsonObject } from '../../examples/world/json.ts'

type Agent = (input: SupportInput) => Promise<SupportOutput>

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))
/** The folder of the agents. */
export const SUPPORT_AGENT: string = join(REPOSITORY, 'examples/support-agent')

/** Gives the environment and the modules back after each test. */
export function setUpSupportAgent(): void {
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.resetModules()
  })
}

/** Tests what an agent of the example does with tickets. */
export function testSupportAgent(name: string): void {
  it(`books a refund twice in the incident, in ${name}`, async () => {
    await using world = await startSupportWorld({ faults: { refund: 'times-out-after-acting' } })
    const agent = await loadAgent(SUPPORT_AGENT, name, world)
    const { reply } = await agent({ ticket: REFUND_LOST_ORDER.ticket })
    expect(reply).toBe(REFUND_LOST_ORDER.turns.at(-1)?.text)
    expect(world.payments.ledger.summary('ord_1001')).toBe('2 refunds booked for ord_1001')
    expect(toolResults(world)).toEqual([
      '{"id":"ord_1001","status":"shipped","item":"Desk lamp","amount":4900,"currency":"usd"}',
      '{"id":"re_2","order_id":"ord_1001","amount":4900,"currency":"usd","status":"succeeded"}',
    ])
  })

  it(`books a refund once with the fix, in ${name}`, async () => {
    await using world = await startSupportWorld({ faults: { refund: 'times-out-after-acting' } })
    await using fixed = await copyFixedAgent()
    const agent = await loadAgent(fixed.folder, name, world)
    const { reply } = await agent({ ticket: REFUND_LOST_ORDER.ticket })
    expect(reply).toBe(REFUND_LOST_ORDER.turns.at(-1)?.text)
    expect(world.payments.ledger.summary('ord_1001')).toBe('1 refund booked for ord_1001')
    expect(toolResults(world).at(-1)).toBe('{"id":"re_1","order_id":"ord_1001","amount":4900,"currency":"usd","status":"succeeded"}')
  })

  it(`cancels an order that has not shipped, in ${name}`, async () => {
    await using world = await startSupportWorld()
    const agent = await loadAgent(SUPPORT_AGENT, name, world)
    const { reply } = await agent({ ticket: CANCEL_UNSHIPPED.ticket })
    expect(reply).toBe(CANCEL_UNSHIPPED.turns.at(-1)?.text)
    expect(world.payments.ledger.cancellations).toEqual(['ord_1002'])
    expect(world.payments.ledger.refunds).toEqual([])
  })

  it(`answers several tickets at once, in ${name}`, async () => {
    await using world = await startSupportWorld()
    const agent = await loadAgent(SUPPORT_AGENT, name, world)
    const answers = await Promise.all([REFUND_LOST_ORDER, CANCEL_UNSHIPPED].map(({ ticket }) => agent({ ticket })))
    expect(answers.map(({ reply }) => reply)).toEqual([REFUND_LOST_ORDER.turns.at(-1)?.text, CANCEL_UNSHIPPED.turns.at(-1)?.text])
  })

  it(`tells the model what a tool refused, in ${name}`, async () => {
    const script = [{ toolCalls: [{ name: 'cancel_order', args: { order_id: 'ord_1001' } }] }, { text: 'I cannot cancel that.' }]
    await using world = await startSupportWorld({ script })
    const agent = await loadAgent(SUPPORT_AGENT, name, world)
    await agent({ ticket: 'Cancel ord_1001.' })
    expect(toolResults(world)).toEqual(['Error: ord_1001 is shipped, only a packed order can be cancelled.'])
  })
}

/** The agent's modules read their environment when they are loaded, so each world loads them afresh. */
export async function loadAgent(folder: string, name: string, world: SupportWorld): Promise<Agent> {
  for (const [variable, value] of Object.entries(world.env)) vi.stubEnv(variable, value)
  vi.resetModules()
  const module: { supportAgent: Agent } = await import(pathToFileURL(join(folder, `${name}.ts`)).href)
  return module.supportAgent
}

async function copyFixedAgent(): Promise<{ readonly folder: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'goldenrun-support-agent-'))
  await cp(SUPPORT_AGENT, folder, { recursive: true })
  await symlink(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'), 'dir')
  const file = join(folder, FIX.file)
  await writeFile(file, (await readFile(file, 'utf8')).replace(FIX.from, FIX.to))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

/** What the model was told of its tool calls, read from the last request that it received. */
function toolResults(world: SupportWorld): string[] {
  const body = world.provider.exchanges.at(-1)?.body
  const messages = isJsonObject(body) && Array.isArray(body['messages']) ? body['messages'].filter(isJsonObject) : []
  const anthropic = messages.flatMap(({ content }) => (Array.isArray(content) ? content.filter(isJsonObject) : []))
  return [...messages.filter(({ role }) => role === 'tool'), ...anthropic.filter(({ type }) => type === 'tool_result')].map(({ content }) =>
    String(content),
  )
}
