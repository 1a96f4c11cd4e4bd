/** The agent's input. */
export interface AskInput {
  /** The provider's `baseURL`. */
  readonly baseUrl: string
  readonly questions: readonly string[]
}

/** An agent without a library: its test file loads nothing else but what the test was written with. */
export async function ask({ baseUrl, questions }: AskInput): Promise<string[]> {
  const answers: string[] = []
  for (const question of questions) {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: question }] }),
    })
    const { choices } = (await response.json()) as { choices: { message: { content: string } }[] }
    answers.push(choices[0]?.message.content ?? '')
  }
  return answers
}
