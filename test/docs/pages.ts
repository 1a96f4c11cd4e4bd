import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** A page for users: the README, or one of `docs/`. */
export interface Page {
  /** From the repository's root: `docs/vitest.md`. */
  readonly path: string
  readonly text: string
  readonly blocks: readonly CodeBlock[]
}

/** A block of code of a page. */
export interface CodeBlock {
  /** Where it stands: `docs/vitest.md:5`. */
  readonly place: string
  /** As the page names it; empty where it names none. */
  readonly language: string
  /** The file that it is: code says so in its first line, `// src/agent.ts`; for JSON, which has no comments, the sentence before it ends with the name. */
  readonly file?: string
  readonly text: string
}

/** The repository's root. */
export const REPOSITORY: string = fileURLToPath(new URL('../../', import.meta.url))

/** Reads a page. */
export function readPage(page: string): Page {
  const text = readFileSync(path.join(REPOSITORY, page), 'utf8')
  const blocks = [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(({ index, 1: language = '', 2: code = '' }): CodeBlock => {
    const line = text.slice(0, index).split('\n').length
    const file = /^(?:\/\/|#) (\S+\.\w+)\n/.exec(code)?.[1] ?? /`(\S+\.json)`:\n\n$/.exec(text.slice(0, index))?.[1]
    return { place: `${page}:${line}`, language, text: code, ...(file !== undefined && { file }) }
  })
  return { path: page, text, blocks }
}

/** Reads all pages. */
export function readPages(): Page[] {
  const docs = readdirSync(path.join(REPOSITORY, 'docs')).filter((name) => name.endsWith('.md'))
  return ['README.md', ...docs.map((name) => `docs/${name}`)].map(readPage)
}
