import { createParser } from 'eventsource-parser'

/** The data of the events of a stream's text. An event that was cut before its blank line is left out, as every reader of the stream leaves it out. */
export function readEvents(text: string): readonly string[] {
  const events: string[] = []
  createParser({ onEvent: ({ data }) => void events.push(data) }).feed(text)
  return events
}

/** One event as text, its blank line included. `data` is written as one line of JSON, a string as it is. */
export function writeEvent(data: unknown, event?: string): string {
  const line = `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
  return event === undefined ? line : `event: ${event}\n${line}`
}
