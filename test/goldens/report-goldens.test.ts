import { readdir } from 'node:fs/promises'
import { expect, it, vi } from 'vitest'
import { reportGoldens } from '../../src/goldens/results/report-goldens.ts'
import type { GoldenResult } from '../../src/goldens/results/golden-result.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const result = (name: string, status: GoldenResult['status'], more: Partial<GoldenResult> = {}): GoldenResult => ({
  name,
  file: `golden-traces/${name}.jsonl`,
  status,
  ...more,
})

it('removes the pages of goldens that hold again, and keeps that of one of which a test fails', async () => {
  await using project = await createTemporaryDirectory()
  vi.stubEnv('GOLDENRUN_PAGES', project.resolve('pages'))
  for (const name of ['green', 'green~2', 'red', 'other']) await project.write(`pages/${name}.red.html`, name)
  const results = [result('green', 'held'), result('red', 'held', { test: 'a' }), result('red', 'not held', { test: 'b' })]
  try {
    await reportGoldens(results, {}, { root: project.path, isUpdate: false, title: 'Goldens', print: () => undefined })
    expect((await readdir(project.resolve('pages'))).toSorted()).toEqual(['other.red.html', 'red.red.html'])
  } finally {
    vi.unstubAllEnvs()
  }
})

it('names every page of a golden once', async () => {
  const printed: string[] = []
  const results = [
    result('red', 'not held', { test: 'a', page: 'pages/red.red.html' }),
    result('red', 'not held', { test: 'b', page: 'pages/red~2.red.html' }),
    result('red', 'not held', { test: 'b', page: 'pages/red~2.red.html' }),
  ]
  await reportGoldens(
    results,
    {},
    { root: '.', isUpdate: false, title: 'Goldens', pages: 'Pages', print: (text) => void printed.push(text) },
  )
  expect(printed.join('\n').split('\n').slice(1)).toEqual(['Pages pages/red.red.html', '      pages/red~2.red.html', ''])
})
