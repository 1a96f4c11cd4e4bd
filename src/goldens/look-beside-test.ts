import path from 'node:path'
import { lookForGoldensFrom } from '../stores/golden-directory.ts'
import { tellTestRunner, type TestRunner } from './test-runner.ts'

/** Has goldens looked for from the test's file upwards: in a workspace the tests of every package run from one directory. */
export function lookBesideTest(runner: TestRunner): void {
  tellTestRunner(runner)
  lookForGoldensFrom(() => {
    const file = runner.testPath()
    return file === undefined ? undefined : path.dirname(file)
  })
}
