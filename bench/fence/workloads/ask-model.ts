/** A model call of a workload. */
export interface Question {
  /** The provider's `baseURL`. */
  readonly baseUrl: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly streamed: boolean
  /** Called after each piece of a streamed answer. */
  readonly onPiece?: () => void
}

/**
 * Calls a model through `fetch`, without an SDK, whose own work would hide a part of ours.
 *
 * @returns The answer as it was sent: JSON, or server-sent events.
 */
export async function askModel({ baseUrl, messages, streamed, onPiece }: Question): Promise<string> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-local' },
    body: JSON.stringify({ model: 'gpt-5', messages, ...(streamed && { stream: true }) }),
  })
  if (!response.ok || response.body === null) throw new Error(`The provider answered with status ${response.status}.`)
  if (!streamed) return await response.text()
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of response.body) {
    text += decoder.decode(piece, { stream: true })
    onPiece?.()
  }
  return text
}
