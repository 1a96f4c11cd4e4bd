import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import {
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { expect } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { recordRun } from '../support/record-run.ts'
import { call, clientInfo } from './use-client.ts'

/** Records an agent of a server that says much by itself, so many times, and expects each replay to keep the order. */
export async function expectNoisyOrder(recordings: number): Promise<void> {
  const noisy = fileURLToPath(new URL('noisy-server.ts', import.meta.url))
  const agent = async (): Promise<unknown> => {
    const heard: unknown[] = []
    const client = new Client(clientInfo, { capabilities: { roots: {} } })
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(params.data))
    client.setNotificationHandler(ToolListChangedNotificationSchema, async () => {
      heard.push(['changed', (await client.listTools()).tools.length])
    })
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///orders' }] }))
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [noisy] }))
    for (let time = 0; time < 3; time += 1) {
      await call(client, 'work', { time })
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    const failed = await client.callTool({ name: 'work', arguments: {} }, undefined, { timeout: 5 }).catch(String)
    await client.close()
    return [heard, failed]
  }
  for (let recording = 0; recording < recordings; recording += 1) {
    const { output, trace } = await recordRun(agent)
    expect(output).toMatchObject([
      expect.arrayContaining(['start 4', 'tick', 'after', ['changed', 1]]),
      expect.stringContaining('timed out'),
    ])
    for (let time = 0; time < 4; time += 1) {
      const run = await replay(trace, agent)
      expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
    }
  }
}
