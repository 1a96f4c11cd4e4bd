import { describeProject } from '../support/describe-project.ts'

describeProject('jest-cjs-babel', {
  runs: {
    'tells which goldens hold': { command: 'npm test -- test/', status: 1 },
    'goes back to a step, and on from there': { command: 'npm test -- travel/', status: 0, expected: 'expected-travel.txt' },
  },
})
