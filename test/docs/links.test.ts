import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readPage, readPages, REPOSITORY } from './pages.ts'

const pages = [...readPages(), readPage('examples/README.md')]

it.each(pages)('$path links to what is there', ({ path: page, text }) => {
  const targets = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target).filter((target) => !target.startsWith('http'))
  const missing = targets.filter((target) => {
    const [file = '', anchor] = target.split('#')
    const linked = file === '' ? page : path.join(path.dirname(page), file)
    if (!existsSync(path.join(REPOSITORY, linked))) return true
    return anchor !== undefined && !headings(pages.find((other) => other.path === linked)?.text ?? '').includes(anchor)
  })
  expect(missing).toEqual([])
})

/** The anchors of a page's headings, as GitHub makes them. */
function headings(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
