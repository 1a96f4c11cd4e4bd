import { createOpenAI } from '@ai-sdk/openai'
import { generateText, isStepCount, streamText } from 'ai'
import { checkpoint, tool } from 'goldenrun'
import { visitAccount } from '../account.ts'
import type { Context } from '../context.ts'
import { INSTRUCTIONS, LIMIT_MS, MAX_STEPS, MODEL } from './config.ts'
import { headers } from './headers.ts'
import { createTools } from './tools.ts'

/** The destination, and what the traveller liked before. */
export interface TripInput {
  readonly town: string
  readonly nights: number
  /** Says who travels. */
  readonly userToken: string
}

/** Plans a trip with the tools that the model asks for, and writes the traveller a letter. */
export async function agent({ town, nights, userToken }: TripInput, context: Context): Promise<unknown> {
  await visitAccount(context, headers, userToken)
  const provider = createOpenAI({ apiKey: 'sk-local', baseURL: `${context.url}/v1` })
  const send = tool('send_letter', { effect: 'write' }, (args: object): Promise<void> => context.call('send_letter', args))
  const trip = crypto.randomUUID()
  const planned = await generateText({
    model: provider.chat(MODEL),
    system: INSTRUCTIONS,
    prompt: `I want to go to ${town} for ${nights} nights.`,
    temperature: 0,
    maxRetries: 1,
    tools: createTools(context, trip),
    stopWhen: isStepCount(MAX_STEPS),
    abortSignal: AbortSignal.timeout(LIMIT_MS),
  })
  reach('planned', { steps: planned.steps.length, text: planned.text })
  const letter = streamText({
    model: provider.chat(MODEL),
    system: 'You write letters.',
    prompt: planned.text,
    temperature: 0,
    onError: () => undefined,
  })
  const pieces: string[] = []
  for await (const piece of letter.textStream) {
    pieces.push(piece)
  }
  const text = pieces.join('')
  await send({ trip, town, text, day: new Date().toISOString().slice(0, 10) })
  reach('sent', { words: text.split(' ').length })
  return { text, trip, steps: planned.steps.length }

  function reach(name: string, state: unknown): void {
    checkpoint(name, state)
    context.reached(name, state)
  }
}
