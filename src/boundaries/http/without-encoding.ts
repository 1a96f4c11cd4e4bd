import { toHeaderPairs } from './headers.ts'

/** Whether a header tells how a body was encoded, or how long that was. @param name In lower case. */
export function isAboutEncoding(name: string): boolean {
  return name === 'content-encoding' || name === 'content-length'
}

/** Headers without what tells of an encoding that is gone. */
export function withoutEncoding(headers: Record<string, string | string[]>): Record<string, string | string[]> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isAboutEncoding(name.toLowerCase())))
}

/** The same of headers as they came, names and values in turns. */
export function withoutRawEncoding(headers: unknown): Buffer[] {
  return toHeaderPairs(headers as never)
    .filter(([name]) => !isAboutEncoding(name))
    .flat()
    .map((text) => Buffer.from(text, 'latin1'))
}
