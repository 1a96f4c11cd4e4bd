import { globSync } from 'node:fs'
import type { ViteUserConfig } from 'vitest/config'
import { createRandom } from './test/support/random.ts'

const all = 'test/projects/*.project.ts'

/** What most users have, and every bundler: in each sample. */
const always = ['vitest-5', 'jest-esm', 'bundlers', 'next']

const sample = process.env['GOLDENRUN_SAMPLE']

/** So many projects, drawn by `GOLDENRUN_SEED`. */
function draw(count: number): string[] {
  const seed = process.env['GOLDENRUN_SEED'] ?? String(Date.now())
  const files = globSync(all).map((file) => file.replaceAll('\\', '/'))
  const isAlways = (file: string): boolean => always.some((name) => file.endsWith(`/${name}.project.ts`))
  const others = createRandom(seed).shuffle(files.filter((file) => !isAlways(file)).toSorted())
  const drawn = [...files.filter(isAlways), ...others].slice(0, count)
  console.log(`A sample of projects (GOLDENRUN_SEED=${seed}): ${drawn.join(', ')}`)
  return drawn
}

// Users' projects with the packed package in them: `npm run test:projects`, or one of them: `npm run test:projects -- vitest-5`.
const config: ViteUserConfig = {
  test: {
    include: sample === undefined ? [all] : draw(Number(sample)),
    globalSetup: ['test/projects/provide-package.ts'],
    // Installing waits for the disk and a registry.
    testTimeout: 1_200_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
  },
}

export default config
