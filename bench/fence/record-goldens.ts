/** Records the goldens that workloads replay, with a built package: `node record-goldens.ts <package>`. Writes them to `golden-traces` of the working directory. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ask, type AskInput } from '../runner/agent.ts'
import { loadEntry } from './built-package.ts'
import { agents, type RunInput } from './workloads/recorded-agents.ts'

const PIECES = 20

const [, , folder = ''] = process.argv
const { createRecorder, currentRun } = await loadEntry(folder, 'index')
const { promote, readTrace } = await loadEntry(folder, 'replay')

/** Sends the next piece of the answer that is being streamed. */
let sendPiece = (): void => undefined

const server = createServer((request, response) => void answer(request, response))
server.listen(0, '127.0.0.1')
await once(server, 'listening')

const recorder = createRecorder({ store: 'runs' })
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
for (const [name, { agent }] of Object.entries(agents)) {
  await record(name, { baseUrl }, (input: RunInput) => agent(input, () => sendPiece()))
}
const questions = ['Where is order 1001?', 'And order 1002?', 'When will both be here?']
await record('ask', { baseUrl, questions }, (input: AskInput) => ask(input))
await recorder.close()
process.exit()

async function record<Input>(name: string, input: Input, agent: (input: Input) => Promise<unknown>): Promise<void> {
  let id = ''
  await recorder.run({ agent: 'fence', input }, (given: Input) => {
    id = currentRun()?.id ?? ''
    return agent(given)
  })
  await recorder.flush()
  await promote(await readTrace(id, { store: 'runs' }), { name, directory: 'golden-traces' })
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { stream } = JSON.parse((await request.toArray()).join('')) as { readonly stream?: boolean }
  if (stream === true) return streamAnswer(response)
  response.setHeader('content-type', 'application/json')
  const message = { role: 'assistant', content: 'It left the warehouse this morning and will be with you by tomorrow at noon.' }
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  response.end(JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'gpt-5', choices }))
}

/** Sends each piece after the agent has read the one before, so that no two arrive as one: every recording has the same pieces. */
function streamAnswer(response: ServerResponse): void {
  response.setHeader('content-type', 'text/event-stream')
  let sent = 0
  sendPiece = () => {
    sent += 1
    if (sent > PIECES) return void response.end()
    const choices = [{ index: 0, delta: { content: ` word${sent}` }, finish_reason: null }]
    response.write(
      `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-5', choices })}\n\n`,
    )
  }
  sendPiece()
}
