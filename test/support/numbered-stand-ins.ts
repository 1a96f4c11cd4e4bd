import type { StandIns } from '../../src/redaction/stand-in.ts'

/**
 * Returns a text with the number of each stand-in in its place, as `REDACTED00001` or, for an address, `redacted00001@mail.example`: which part is
 * redacted, and which parts have the same value. Numbers in groups stay as they are.
 */
export function numbered(text: string, standIns: Pick<StandIns, 'find'>): string {
  let numberedText = ''
  let reached = 0
  for (const { start, end, kind, number } of standIns.find(text)) {
    const written = text.slice(start, end)
    const padded = String(number).padStart(5, '0')
    const at = /%40|\\+u0040|@/.exec(written)?.[0] ?? '@'
    const name = kind === 'secret' ? `REDACTED${padded}` : kind === 'email' ? `redacted${padded}${at}mail.example` : written
    numberedText += text.slice(reached, start) + name
    reached = end
  }
  return numberedText + text.slice(reached)
}

/** The same for every text of a value in recorded form. */
export function numberedValue(value: unknown, standIns: Pick<StandIns, 'find'>): unknown {
  return JSON.parse(numbered(JSON.stringify(value), standIns))
}
