import { describeProject } from '../support/describe-project.ts'

describeProject('jest-cjs-swc', {
  runs: {
    'tells which goldens hold': { status: 1 },
    'has the types of @types/jest': { command: 'npm run --silent types', status: 0, expected: 'expected-types.txt' },
  },
})
