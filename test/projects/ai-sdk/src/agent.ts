import { openai } from '@ai-sdk/openai'
import { isStepCount, streamText } from 'ai'
import { checkpoint } from 'goldenrun'
import { prompt } from './prompt.ts'
import { tools } from './tools.ts'

export interface Ticket {
  readonly ticket: string
}

export async function supportAgent({ ticket }: Ticket): Promise<{ reply: string }> {
  const { text } = streamText({
    model: openai('gpt-4.1-mini'),
    system: prompt,
    prompt: ticket,
    tools,
    stopWhen: isStepCount(8),
    onStepFinish: ({ toolResults }) => {
      for (const { toolName, output } of toolResults) checkpoint('tool-called', { name: toolName, result: output })
    },
  })
  return { reply: await text }
}
