import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { createRecorder, currentRun } from 'goldenrun'
import { readTrace, replay } from 'goldenrun/replay'
import { createTemporaryDirectory } from '../../test/support/temporary-directory.ts'
import type { Metrics } from '../figures.ts'
import { measureRounds, median, medianRatio } from '../rounds.ts'
import type { DoorsSizes } from './sizes.ts'
import { StubTransport } from './stub-transport.ts'

const server = fileURLToPath(new URL('echo-server.mjs', import.meta.url))

/** Measures the cost of recording and replaying calls of an MCP server over stdio. */
export async function measureMcp({ calls, rounds }: DoorsSizes): Promise<Metrics> {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.path })
  await recorder.start()
  const client = await open(new StdioClientTransport({ command: process.execPath, args: [server] }))
  const agent = async (): Promise<void> => await callTools(client, calls)
  const stub = await open(new StubTransport())
  let id = ''
  const record = async (): Promise<void> => {
    await recorder.run({ agent: 'bench', input: undefined }, async () => {
      id = currentRun()?.id ?? ''
      await agent()
    })
    await recorder.flush()
  }
  const recorded = await measureRounds({ plain: agent, recorded: record }, rounds)
  const trace = await readTrace(id, { store: directory.path })
  const replayed = await measureRounds(
    {
      stub: async () => await callTools(stub, calls),
      replay: async () => {
        const { divergences } = await replay(trace, agent)
        if (divergences.length > 0) throw new Error(`It diverged: ${JSON.stringify(divergences[0])}`)
      },
    },
    rounds,
  )
  await recorder.close()
  await client.close()
  const each = (times: readonly number[]): string => `${((median(times) / calls) * 1000).toFixed(0)} µs`
  return {
    mcp_record_cpu: {
      value: medianRatio(recorded.recorded.cpu, recorded.plain.cpu),
      unit: 'x',
      against: `the same calls outside of every run, CPU time of all threads: ${each(recorded.recorded.cpu)} a call against ${each(recorded.plain.cpu)}`,
    },
    mcp_step_vs_stub: {
      value: medianRatio(replayed.replay.wall, replayed.stub.wall),
      unit: 'x',
      against: `the same client over a transport in memory, one setImmediate an answer: ${each(replayed.replay.wall)} a call against ${each(replayed.stub.wall)} on the wall`,
    },
  }
}

async function open(transport: Parameters<Client['connect']>[0]): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1.0.0' })
  await client.connect(transport)
  await client.listTools()
  return client
}

async function callTools(client: Client, calls: number): Promise<void> {
  for (let call = 0; call < calls; call += 1) await client.callTool({ name: 'get_order', arguments: { order_id: `ord_${call}` } })
}
