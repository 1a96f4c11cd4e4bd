import OpenAI from 'openai'
import { checkpoint, currentRun } from 'goldenrun'

/** The agent's input. */
export interface TurnsInput {
  readonly turns: number
}

/** The address of the agent's model; in a replay, there is none. */
export const NOWHERE: TurnsContext = { baseUrl: 'http://127.0.0.1:4010/v1' }

export interface TurnsContext {
  readonly baseUrl: string
}

interface State {
  readonly turn: number
  readonly said: readonly string[]
}

/** An agent that asks its model once per turn, with the last ten answers. It can be resumed at the checkpoint of each turn. */
export async function takeTurns({ turns }: TurnsInput, { baseUrl }: TurnsContext): Promise<readonly string[]> {
  const client = new OpenAI({ apiKey: 'sk-local', baseURL: baseUrl, maxRetries: 0 })
  let { turn, said } = (currentRun()?.resumedFrom?.state ?? { turn: 0, said: [] }) as State
  for (; turn < turns; turn += 1) {
    const heard = said.slice(-10).map((content) => ({ role: 'assistant' as const, content }))
    const messages = [
      { role: 'system' as const, content: 'You are a shop assistant.' },
      ...heard,
      { role: 'user' as const, content: `Order ${turn}?` },
    ]
    const { choices } = await client.chat.completions.create({ model: 'gpt-4o', messages })
    said = [...said, choices[0]?.message.content ?? ''].slice(-10)
    checkpoint(`turn-${turn + 1}`, { turn: turn + 1, said } satisfies State)
  }
  return said
}
