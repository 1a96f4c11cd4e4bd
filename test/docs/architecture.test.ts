import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { REPOSITORY } from './pages.ts'

const read = (page: string): string => readFileSync(path.join(REPOSITORY, page), 'utf8')

/** The files that a text names with a folder, from the repository's root or below `src/`. */
function filesIn(text: string): string[] {
  return [...text.matchAll(/(?<![\w./-])(?:[\w-]+\/)+[\w-]+\.ts\b/g)].map(([file]) => file)
}

it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('finds every file that %s names', (page) => {
  const files = filesIn(read(page))
  expect(files.length).toBeGreaterThan(10)
  const isThere = (file: string): boolean => ['', 'src'].some((folder) => existsSync(path.join(REPOSITORY, folder, file)))
  expect(files.filter((file) => !isThere(file))).toEqual([])
})

it('draws a recorded and a replayed call in at most twenty files each', () => {
  const pictures = [...read('ARCHITECTURE.md').matchAll(/^```text\n(.*?)^```$/gms)].map(([, picture = '']) => filesIn(picture))
  expect(pictures).toHaveLength(2)
  for (const files of pictures) {
    expect(files.length).toBeGreaterThan(10)
    expect(new Set(files).size).toBeLessThanOrEqual(20)
  }
})

it('answers at least ten questions of where to change what', () => {
  const [, section = ''] = /^## Where to change what\n(.*?)^## /ms.exec(read('CONTRIBUTING.md')) ?? []
  const questions = section.split('\n').filter((line) => /^\| .*\? \|/.test(line))
  expect(questions.length).toBeGreaterThanOrEqual(10)
  for (const question of questions) expect(filesIn(question)).not.toEqual([])
})
