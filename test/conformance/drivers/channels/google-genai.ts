import type { LiveServerMessage, Session } from '@google/genai'
import type { DriverProgram } from '../driver-program.ts'

interface Opened {
  readonly session: Session
  readonly closed: Promise<void>
  readonly toolCall: Promise<NonNullable<LiveServerMessage['toolCall']>>
  readonly serverContent: Promise<NonNullable<LiveServerMessage['serverContent']>>
}

/** The client of Gemini's Live API in the package @google/genai. */
export const program: DriverProgram<Opened> = {
  server: 'live',
  opensInSteps: true,
  async open({ port, load }) {
    const { GoogleGenAI, Modality } = load('@google/genai') as typeof import('@google/genai')
    const client = new GoogleGenAI({ apiKey: 'local', httpOptions: { baseUrl: `http://127.0.0.1:${port}` } })
    const toolCall = Promise.withResolvers<NonNullable<LiveServerMessage['toolCall']>>()
    const serverContent = Promise.withResolvers<NonNullable<LiveServerMessage['serverContent']>>()
    const { promise: closed, resolve: close } = Promise.withResolvers<void>()
    const session = await client.live.connect({
      model: 'gemini-live',
      config: { responseModalities: [Modality.TEXT] },
      callbacks: {
        onmessage(message) {
          if (message.toolCall !== undefined) toolCall.resolve(message.toolCall)
          if (message.serverContent !== undefined) serverContent.resolve(message.serverContent)
        },
        onclose: () => close(),
      },
    })
    return { session, closed, toolCall: toolCall.promise, serverContent: serverContent.promise }
  },
  async close({ session, closed }) {
    session.close()
    await closed
  },
  flows: {
    async 'a turn with a tool call'({ session, toolCall, serverContent }) {
      session.sendRealtimeInput({ audio: { data: Buffer.from([1, 2, 250]).toString('base64'), mimeType: 'audio/pcm;rate=16000' } })
      session.sendClientContent({ turns: [{ role: 'user', parts: [{ text: 'ord_1' }] }] })
      const [call] = (await toolCall).functionCalls ?? []
      session.sendToolResponse({ functionResponses: [{ id: call?.id ?? '', name: 'get_order', response: { status: 'sent' } }] })
      const { modelTurn } = await serverContent
      return [call?.args, modelTurn?.parts?.[0]?.text]
    },
  },
}
