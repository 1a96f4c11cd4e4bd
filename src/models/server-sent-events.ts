import { createParser } from 'eventsource-parser'

/** A server-sent event: its type, when it names one, and its data lines joined. */
export interface ServerSentEvent {
  readonly event?: string | undefined
  readonly data: string
}

/** The events of a stream's text. An event that was cut before its blank line is left out, as every reader of the stream leaves it out. */
export function readEvents(text: string): readonly ServerSentEvent[] {
  const events: ServerSentEvent[] = []
  createParser({ onEvent: (event) => void events.push(event) }).feed(text)
  return events
}

/** One event as text, its blank line included. `data` is written as one line of JSON, a string as it is. */
export function writeEvent(data: unknown, event?: string): string {
  const line = `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
  return event === undefined ? line : `event: ${event}\n${line}`
}
