import { expect } from '@jest/globals'
import { displayPath } from '../node/display-path.ts'
import type { TestRunner } from '../goldens/test-runner.ts'
import { isHeard, tellReporter } from './results-folder.ts'

/** Jest, as seen from a running test. */
export const jestRunner: TestRunner = {
  command: 'jest',
  testPath: () => expect.getState().testPath,
  hasReporter: isHeard,
  isUpdate() {
    const { snapshotState } = expect.getState() as { readonly snapshotState?: object }
    return snapshotState !== undefined && Reflect.get(snapshotState, '_updateSnapshot') === 'all'
  },
  tell(_assertion, result) {
    const { testPath = '', currentTestName = '' } = expect.getState()
    tellReporter({ ...result, test: `${displayPath(testPath)} > ${currentTestName}` })
  },
}
