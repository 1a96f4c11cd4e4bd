import type { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import type { DriverProgram, DriverWorld } from '../driver-program.ts'

type Bedrock = typeof import('@aws-sdk/client-bedrock-runtime')

/** The package @aws-sdk/client-bedrock-runtime over HTTP/2. */
export const program: DriverProgram<BedrockRuntimeClient> = {
  server: 'bedrock',
  open({ port, load }) {
    const { BedrockRuntimeClient: Client } = load('@aws-sdk/client-bedrock-runtime') as Bedrock
    const { NodeHttp2Handler } = load('@smithy/node-http-handler') as typeof import('@smithy/node-http-handler')
    return new Client({
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      credentials: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
      requestHandler: new NodeHttp2Handler(),
      maxAttempts: 2,
    })
  },
  close: (client) => client.destroy(),
  flows: {
    converse: async (client, world) => [await say(client, world, 'one'), await say(client, world, 'two')],
    stream: async (client, { load }) => {
      const { ConverseStreamCommand } = load('@aws-sdk/client-bedrock-runtime') as Bedrock
      const { stream } = await client.send(new ConverseStreamCommand(ask('one two three')))
      const pieces: unknown[] = []
      for await (const event of stream ?? []) pieces.push(event.contentBlockDelta?.delta?.text ?? Object.keys(event))
      return pieces
    },
    'error, tried again': async (client, world) => await say(client, world, 'busy').catch(({ name, message }: Error) => [name, message]),
    parallel: async (client, world) => await Promise.all([1, 2, 3, 4].map((number) => say(client, world, `ask ${number}`))),
  },
}

async function say(client: BedrockRuntimeClient, { load }: DriverWorld, text: string): Promise<unknown> {
  const { ConverseCommand } = load('@aws-sdk/client-bedrock-runtime') as Bedrock
  const { output, usage, stopReason } = await client.send(new ConverseCommand(ask(text)))
  return [output?.message?.content?.[0]?.text, usage?.totalTokens, stopReason]
}

function ask(text: string): { modelId: string; messages: { role: 'user'; content: { text: string }[] }[] } {
  return { modelId: 'some-model', messages: [{ role: 'user', content: [{ text }] }] }
}
