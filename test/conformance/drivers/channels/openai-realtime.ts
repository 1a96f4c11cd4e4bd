import type { OpenAI } from 'openai'
import { certificate } from '../../certificate.ts'
import type { DriverProgram } from '../driver-program.ts'

/** What the flows use of a connection. */
interface Realtime {
  send(event: object): void
  close(): void
  once(type: string, listener: (event: Readonly<Record<string, string>>) => void): void
  readonly socket: { once(type: 'close', listener: () => void): void }
}

interface Opened {
  readonly realtime: Realtime
  next(type: string): Promise<Readonly<Record<string, string>>>
}

type Connects = new (given: object, client: OpenAI) => Realtime

/** The client of the Realtime API in the package openai, over the package ws. */
export const program: DriverProgram<Opened> = {
  server: 'realtime',
  opensInSteps: true,
  async open({ port, load }) {
    const { OpenAI: Client } = load('openai') as typeof import('openai')
    const { OpenAIRealtimeWS } = load('openai/realtime/ws') as { readonly OpenAIRealtimeWS: Connects }
    const client = new Client({ apiKey: 'sk-local', baseURL: `https://localhost:${port}/v1` })
    const realtime = new OpenAIRealtimeWS({ model: 'gpt-realtime', options: { ca: certificate } }, client)
    const next = (type: string): Promise<Readonly<Record<string, string>>> => new Promise((resolve) => realtime.once(type, resolve))
    await next('session.created')
    return { realtime, next }
  },
  async close({ realtime }) {
    const closed = new Promise<void>((resolve) => realtime.socket.once('close', resolve))
    realtime.close()
    await closed
  },
  flows: {
    async 'a turn with a tool call'({ realtime, next }) {
      realtime.send({ type: 'session.update', session: { type: 'realtime', instructions: 'Be brief.' } })
      await next('session.updated')
      realtime.send({ type: 'input_audio_buffer.append', audio: Buffer.from([1, 2, 3, 250]).toString('base64') })
      const content = [{ type: 'input_text', text: 'ord_1' }]
      realtime.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } })
      realtime.send({ type: 'response.create' })
      const { call_id: call, arguments: args } = await next('response.function_call_arguments.done')
      realtime.send({ type: 'conversation.item.create', item: { type: 'function_call_output', call_id: call, output: 'sent' } })
      realtime.send({ type: 'response.create' })
      return [args, (await next('response.output_text.done'))['text']]
    },
  },
}
