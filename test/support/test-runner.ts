import type { TestRunner } from '../../src/goldens/test-runner.ts'

/** A test runner that nobody reports to, but for what is said otherwise. */
export function testRunner(parts: Partial<TestRunner>): TestRunner {
  return {
    command: 'runner',
    testPath: () => undefined,
    hasReporter: () => false,
    isUpdate: () => false,
    tell: () => undefined,
    ...parts,
  }
}
