import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from './record-run.ts'
import { clients } from '../replay/call-sites/clients.ts'

export const file = 'test/replay/call-sites/clients.ts'

const lines = readFileSync(new URL('../replay/call-sites/clients.ts', import.meta.url), 'utf8').split('\n')

export const lineOf = (name: string): number => lines.findIndex((line) => line.endsWith(`// site: ${name}`)) + 1

export const look: (order: string) => Promise<string> = tool('look', {}, async (order: string) => order)

const recorded = await recordRun(async () => [await look('ord_1'), await look('ord_2')])

export const trace: Trace = recorded.trace

type Client = () => Promise<unknown>

/** Ways in which an agent comes to call a client. */
const agents: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  'at once': (client) => client(),
  'by a helper, after an awaited step': async (client) => {
    await look('ord_1')
    const help = async (): Promise<unknown> => await client()
    return await help()
  },
  'beside another call, after an awaited step': async (client) => {
    await look('ord_1')
    return await Promise.all([look('ord_2'), client()])
  },
}

export const placeOf = ({ divergences }: ReplayedRun): unknown => {
  const made = divergences.find(({ cause }) => cause === 'unexpected-call')
  return [made?.site?.file, made?.site?.line]
}

/** Each client, called in each way. */
export const callings: readonly (readonly [name: string, how: string, agent: (client: Client) => Promise<unknown>])[] = Object.entries(
  agents,
).flatMap(([how, agent]) => Object.keys(clients).map((name) => [name, how, agent] as const))

/** Tests that a report names the line of the call. */
export function testCallings(cases: readonly (typeof callings)[number][]): void {
  it.each(cases)("names the agent's line that called %s, %s", async (name, _how, agent) => {
    const client = clients[name]
    const run = await replay(trace, () => agent(client as Client), { traceCallSites: true })
    expect(placeOf(run)).toEqual([file, lineOf(name)])
  })
}
