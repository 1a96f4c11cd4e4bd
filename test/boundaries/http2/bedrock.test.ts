import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime'
import { NodeHttp2Handler } from '@smithy/node-http-handler'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun, rowsOf, startRecorder } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { listenBedrock } from './bedrock-server.ts'

function createClient(endpoint: string): BedrockRuntimeClient {
  return new BedrockRuntimeClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
    requestHandler: new NodeHttp2Handler(),
    maxAttempts: 2,
  })
}

async function say(client: BedrockRuntimeClient, text: string): Promise<unknown> {
  const { output, usage } = await client.send(
    new ConverseCommand({ modelId: 'some-model', messages: [{ role: 'user', content: [{ text }] }] }),
  )
  return [output?.message?.content?.[0]?.text, usage?.totalTokens]
}

it('replays calls of Bedrock over HTTP/2 as model calls, with the server gone', async () => {
  const server = await listenBedrock()
  const agent = async (): Promise<unknown> => {
    const client = createClient(server.endpoint)
    const heard = [await say(client, 'one'), await say(client, 'busy').catch(({ name }: Error) => name)]
    client.destroy()
    return heard
  }
  const { output, trace } = await recordRun(agent)
  expect(output).toEqual([['said one', 3], 'ThrottlingException'])
  expect([trace.steps.map(({ boundary, name }) => [boundary, name]), rowsOf(trace, 'note')]).toEqual([
    Array.from({ length: 3 }, () => ['model', 'bedrock.converse']),
    [],
  ])
  await server.stop()
  for (let time = 0; time < 20; time += 1) {
    const run = await replay(trace, agent)
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
  }
})

it('keeps eight runs at once apart that share a client', async () => {
  await using server = await listenBedrock()
  const client = createClient(server.endpoint)
  await say(client, 'before')
  const agent = async (name: string): Promise<unknown> => [await say(client, `${name} a`), await say(client, `${name} b`)]
  await using recorder = await startRecorder()
  const names = Array.from({ length: 8 }, (_, index) => `run ${index}`)
  const runs = await Promise.all(names.map((name) => recorder.record(() => agent(name), {})))
  const { requests } = server
  for (const [index, { trace }] of runs.entries()) {
    const name = names[index] ?? ''
    expect(trace.steps).toHaveLength(2)
    expect(JSON.stringify(trace.steps.map(({ input }) => input)).match(/run \d/g)).toEqual([name, name])
    await expectClean(trace, () => agent(name))
  }
  expect(server.requests).toBe(requests)
  client.destroy()
})
