import path from 'node:path'
import { lookForGoldensFrom } from '../stores/golden-directory.ts'
import { tellTestRunner, type TestRunner } from './test-runner.ts'

/** Makes lookups of goldens start at the test's file: in a workspace, the tests of every package run from one directory. */
export function lookBesideTest(runner: TestRunner): void {
  tellTestRunner(runner)
  lookForGoldensFrom(() => {
    const file = runner.testPath()
    return file === undefined ? undefined : path.dirname(file)
  })
}
