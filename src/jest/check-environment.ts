import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { sandboxKey } from './sandbox-key.ts'

// Without it the doors to the world would stay as one test file has left them, for all that come after it in the worker.
if (!(sandboxKey in globalThis)) {
  throw new GoldenrunError(
    'GOLDENRUN_JEST_ENVIRONMENT',
    "goldenrun/jest needs goldenrun's environment, which this test file does not run in. " +
      "Set testEnvironment: 'goldenrun/jest/environment' in Jest's config, " +
      'or write /** @jest-environment goldenrun/jest/environment */ at the top of the file.',
  )
}
