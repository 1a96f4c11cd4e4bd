import OpenAI from 'openai'

/** Asks a model as one of the team. */
export type Ask = (system: string, ...said: readonly string[]) => Promise<string>

export function createModel(base: string): Ask {
  const client = new OpenAI({ apiKey: 'sk-local', baseURL: `${base}/v1`, maxRetries: 0 })
  return async (system, ...said) => {
    const answer = await client.chat.completions.create({
      model: 'gpt-4o-mini',
      temperature: 0,
      messages: [{ role: 'system', content: system }, ...said.map((content) => ({ role: 'user' as const, content }))],
    })
    return answer.choices[0]?.message.content ?? ''
  }
}
