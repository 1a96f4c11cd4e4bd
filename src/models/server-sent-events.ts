import { createParser } from 'eventsource-parser'

/** Returns the data of the events in a stream's text. An event that was cut before its blank line is omitted, as every reader of the stream omits it. */
export function readEvents(text: string): readonly string[] {
  const events: string[] = []
  createParser({ onEvent: ({ data }) => void events.push(data) }).feed(text)
  return events
}

/** Returns one event as text, including its blank line. `data` is written as one line of JSON, a string as it is. */
export function writeEvent(data: unknown, event?: string): string {
  const line = `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
  return event === undefined ? line : `event: ${event}\n${line}`
}
