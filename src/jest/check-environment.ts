import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { sandboxKey } from './sandbox-key.ts'

// Without the environment, doors left open by one test file would stay open for later files in the worker.
if (!(sandboxKey in globalThis)) {
  throw new GoldenrunError(
    'GOLDENRUN_JEST_ENVIRONMENT',
    "goldenrun/jest needs goldenrun's environment, which this test file does not use. " +
      "Set testEnvironment: 'goldenrun/jest/environment' in Jest's config, " +
      'or write /** @jest-environment goldenrun/jest/environment */ at the top of the file.',
  )
}
