import path from 'node:path'
import { nearestConfig } from '../config/nearest-config.ts'
import { whatIsKnown } from './asserted-run.ts'
import type { TellUnseen } from './test-work.ts'
import { currentTestRunner } from './test-runner.ts'

/** Counts a replay that its test never looked at in the runner's summary. The test fails if the config nearest to it has `assertReplays`. */
export const tellUnseen: TellUnseen = async (run, test) => {
  const runner = currentTestRunner()
  const about = whatIsKnown(run)
  if (about !== undefined && runner?.hasReporter() === true)
    runner.tell(test, { name: about.name, file: about.file, status: 'not asserted' })
  const testPath = runner?.testPath()
  const { assertReplays = false } = await nearestConfig(testPath === undefined ? process.cwd() : path.dirname(testPath))
  return assertReplays
}
