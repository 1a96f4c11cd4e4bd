import { describeProject } from '../support/describe-project.ts'

// No browser is started.
describeProject('browser', {
  runs: {
    'says why goldens do not run in browser mode, and what to do': { status: 1 },
    'runs them in the project of Node beside that of a browser': {
      command: 'npm test -- --config vitest.both.config.ts golden-traces',
      status: 0,
      expected: 'expected-beside.txt',
    },
  },
})
