import { isAboutEncoding } from './capture-handler.ts'
import { toHeaderPairs } from './headers.ts'

/** Headers as they came, names and values in turns, without what tells of an encoding that is gone. */
export function withoutRawEncoding(headers: unknown): Buffer[] {
  return toHeaderPairs(headers as never)
    .filter(([name]) => !isAboutEncoding(name))
    .flat()
    .map((text) => Buffer.from(text, 'latin1'))
}
