import { describeProject } from '../support/describe-project.ts'

describeProject('jest-esm', {
  runs: {
    'tells which goldens hold': { status: 1 },
    'has the types of @jest/globals': { command: 'npm run --silent types', status: 0, expected: 'expected-types.txt' },
  },
})
