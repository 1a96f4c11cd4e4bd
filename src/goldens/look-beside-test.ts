import path from 'node:path'
import { lookForGoldensFrom } from '../stores/golden-directory.ts'

/** What Vitest's `expect` and Jest's tell of the test that runs. */
interface RunnerExpect {
  getState(): { readonly testPath?: string | undefined }
}

/** Has goldens looked for from the test's file upwards: in a workspace the tests of every package run from one directory. */
export function lookBesideTest(expect: RunnerExpect): void {
  lookForGoldensFrom(() => {
    const { testPath } = expect.getState()
    return testPath === undefined ? undefined : path.dirname(testPath)
  })
}
