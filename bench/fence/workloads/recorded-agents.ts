import { askModel } from './ask-model.ts'

/** The input of an agent whose run is recorded to be replayed. */
export interface RunInput {
  readonly baseUrl: string
}

/** The goldens that workloads replay. */
export type GoldenName = 'replayed-step' | 'streamed-step' | 'conversation'

interface Agent {
  /** The number of its model calls. */
  readonly steps: number
  /** @param onPiece Called after each piece of a streamed answer. */
  agent(input: RunInput, onPiece?: () => void): Promise<string>
}

/** The agents whose goldens are replayed, by the golden's name. */
export const agents: Readonly<Record<GoldenName, Agent>> = {
  /** Small calls that do not depend on each other. */
  'replayed-step': { steps: 200, agent: (input) => askRepeatedly(input, 200, false) },
  'streamed-step': { steps: 50, agent: (input, onPiece) => askRepeatedly(input, 50, true, onPiece) },
  /** Each call resends what was said before. */
  conversation: { steps: 300, agent: holdConversation },
}

async function askRepeatedly({ baseUrl }: RunInput, steps: number, streamed: boolean, onPiece?: () => void): Promise<string> {
  let answer = ''
  for (let step = 1; step <= steps; step += 1) {
    const messages = [
      { role: 'system', content: 'You are a shop assistant. Answer in one sentence.' },
      { role: 'user', content: `Where is order ${100_000 + step}?` },
    ]
    answer = await askModel({ baseUrl, messages, streamed, ...(onPiece && { onPiece }) })
  }
  return answer
}

async function holdConversation({ baseUrl }: RunInput): Promise<string> {
  const messages = [{ role: 'system', content: 'You are a shop assistant. Answer in one sentence.' }]
  for (let step = 1; step <= 300; step += 1) {
    messages.push({ role: 'user', content: `${step}: Where are my orders ${step * 7919} and ${step * 104_729}, and what is next? ` })
    const answer = JSON.parse(await askModel({ baseUrl, messages, streamed: false })) as { choices: [{ message: { content: string } }] }
    messages.push({ role: 'assistant', content: answer.choices[0].message.content })
  }
  return messages.at(-1)?.content ?? ''
}
