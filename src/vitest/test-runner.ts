import { expect, inject, type TestContext } from 'vitest'
import { displayPath } from '../node/display-path.ts'
import type { TestRunner } from '../goldens/test-runner.ts'
import { tellTask } from './tell-task.ts'

/** Vitest, as a test that runs in it sees it. */
export const vitestRunner: TestRunner = {
  command: 'vitest run',
  testPath: () => expect.getState().testPath,
  hasReporter: () => inject('goldenrun') === true,
  isUpdate() {
    const { snapshotState } = expect.getState()
    // Vitest 4 keeps it in a field of another name.
    return (snapshotState.snapshotUpdateState ?? Reflect.get(snapshotState, '_updateSnapshot')) === 'all'
  },
  tell(assertion, result) {
    const { task, testPath = '', currentTestName = '' } = assertion as Asserting
    if (task !== undefined) tellTask(task, { ...result, test: `${displayPath(testPath)} > ${currentTestName}` })
  },
}

/** What Vitest's matchers have as their `this`, as far as it is used here. */
interface Asserting {
  readonly task?: TestContext['task']
  readonly testPath?: string
  readonly currentTestName?: string
}
