import { expect, inject, type TestContext } from 'vitest'
import { displayPath } from '../node/display-path.ts'
import type { TestRunner } from '../goldens/test-runner.ts'
import { annotatePage } from './annotate-page.ts'
import { tellTask } from './tell-task.ts'

/** Vitest, as seen from a running test. */
export const vitestRunner: TestRunner = {
  command: 'vitest run',
  testPath: () => expect.getState().testPath,
  hasReporter: () => inject('goldenrun') === true,
  isUpdate() {
    const { snapshotState } = expect.getState()
    // The field has a different name in Vitest 4.
    return (snapshotState.snapshotUpdateState ?? Reflect.get(snapshotState, '_updateSnapshot')) === 'all'
  },
  tell(assertion, result) {
    const { task, testPath = '', currentTestName = '' } = assertion as Asserting
    if (task === undefined) return
    tellTask(task, { ...result, test: `${displayPath(testPath)} > ${currentTestName}` })
    // Vitest waits for it. A test that has ended accepts no further annotations, which does not affect its verdict.
    void annotatePage(task, result).catch(() => undefined)
  },
}

/** The part of the `this` of Vitest's matchers that is used here. */
interface Asserting {
  readonly task?: TestContext['task']
  readonly testPath?: string
  readonly currentTestName?: string
}
