import { describeProject } from '../support/describe-project.ts'

describeProject('monorepo', {
  runs: {
    'tells which goldens of each package hold': { status: 1 },
    'tells the same where the packages are inline projects that extend the root': {
      command: 'npm test -- --config vitest.inline.config.ts',
      status: 1,
    },
    'runs the goldens of one project': { command: 'npm test -- --project mail', status: 1, expected: 'expected-of-mail.txt' },
    'runs the goldens of a package in its folder': {
      command: 'cd packages/web && npx vitest run golden-traces --reporter=verbose',
      status: 1,
      expected: 'expected-in-package.txt',
    },
    'takes a change over into the goldens of the package that it is in': {
      command: 'npm test -- where-is-it -u',
      status: 0,
      expected: 'expected-update.txt',
    },
  },
})
