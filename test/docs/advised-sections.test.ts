import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)

/** The name of a heading's anchor, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

async function anchorsOf(page: string): Promise<Set<string>> {
  const text = await readFile(new URL(page, root), 'utf8')
  return new Set([...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading)))
}

it('points only to pages and sections that exist', async () => {
  const places: string[] = []
  for await (const file of glob('src/**/*.{ts,tsx}', { cwd: fileURLToPath(root) })) {
    const text = await readFile(new URL(file, root), 'utf8')
    // Of a package or of Node, where it is a source of the code.
    const own = text.split('\n').filter((line) => !line.includes('Source:'))
    places.push(...own.flatMap((line) => [...line.matchAll(/(?<![\w/])docs\/[\w-]+\.md(?:#[\w-]+)?/g)].map(([place]) => place)))
  }
  const named = [...new Set(places)]
  expect(named).toContain('docs/limits.md#values-that-goldenrun-does-not-see')
  for (const place of named) {
    const [page = '', section] = place.split('#')
    const anchors = await anchorsOf(page)
    expect(section === undefined || anchors.has(section), place).toBe(true)
  }
})

it('has a sign in a report and a remedy in each section about a limit', async () => {
  const text = await readFile(new URL('docs/limits.md', root), 'utf8')
  const sections = text.split(/^## /m).slice(1)
  expect(sections.length).toBeGreaterThan(5)
  const without = sections.filter((section) => !section.includes('**In a report**:') || !section.includes('**What helps**:'))
  expect(without.map((section) => section.split('\n')[0])).toEqual([])
})
