import { readFileSync } from 'node:fs'

/** README.md */
export const README: string = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

/** The texts of its code blocks in a language; `''` for those that name none. */
export function codeBlocks(language: string): string[] {
  return [...README.matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(([, named, text]) => (named === language ? [text ?? ''] : []))
}
