/** What an event carries: its name, and whatever belongs to it. */
export interface TypedData {
  readonly type: string
  readonly [field: string]: unknown
}

/** A server-sent event with only data, as OpenAI chat completions frames it. */
export function dataEvent(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

/** A server-sent event under the name that its data carries as `type`, as Anthropic messages and OpenAI responses frame it. */
export function typedEvent(data: TypedData): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}
