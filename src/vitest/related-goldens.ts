import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Vitest } from 'vitest/node'
import { goldensMadeOf } from '../goldens/accepted/goldens-made-of.ts'
import { isGolden } from '../stores/golden-directory.ts'
import { orElse } from '../trace/or-else.ts'
import { rootsOf } from './roots.ts'

/**
 * Makes `vitest related` and `--changed` also run what no import leads to: the goldens whose agents read a changed file (a prompt, data, a module that is
 * loaded by a computed name), and the tests that name a changed golden.
 *
 * @note Both versions of Vitest take the files of `related` from the config, and ask the version control for those of `--changed`, after `onInit`.
 */
export async function relateGoldens(vitest: Vitest): Promise<void> {
  const { config, vcs } = vitest
  if (config.related !== undefined) config.related = await withRelated(vitest, config.related)
  else if (config.changed !== undefined && config.changed !== false) {
    const find = vcs.findChangedFiles.bind(vcs)
    vcs.findChangedFiles = async (...options) => await withRelated(vitest, await find(...options))
  }
}

async function withRelated(vitest: Vitest, files: readonly string[]): Promise<string[]> {
  const changed = new Set(files.map((file) => path.resolve(file)))
  const made = [...rootsOf(vitest).taken].flatMap((root) => goldensMadeOf(path.join(root, 'golden-traces'), changed))
  const goldens = [...new Set([...made, ...files.filter(isGolden)])]
  const tests = goldens.length === 0 ? [] : await testFilesOf(vitest)
  const naming = tests.filter((test) => goldens.some((golden) => namesGolden(test, golden)))
  return [...new Set([...files, ...goldens, ...naming].map((file) => file.replaceAll('\\', '/')))]
}

async function testFilesOf({ projects }: Vitest): Promise<string[]> {
  const found = await Promise.all(projects.map(async (project) => (await project.globTestFiles()).testFiles))
  return found.flat()
}

/** Returns whether a test file contains the name of a golden, or describes goldens by a pattern. */
export function namesGolden(test: string, golden: string): boolean {
  if (isGolden(test)) return false
  const text = orElse(() => readFileSync(test, 'utf8'), '')
  return text.includes('describeGolden(') || text.includes(path.basename(golden, '.jsonl'))
}
