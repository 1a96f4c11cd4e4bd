import { describeProject } from '../support/describe-project.ts'

describeProject('vitest-5', {
  runs: {
    'tells which goldens hold, in forks': { command: 'npm test -- --pool=forks', status: 1 },
    'tells the same in threads': { command: 'npm test -- --pool=threads', status: 1 },
    'tells the same in vmThreads': { command: 'npm test -- --pool=vmThreads', status: 1 },
    'runs the golden that is named by its path': {
      command: 'npm test -- golden-traces/cancel-unshipped.jsonl',
      status: 0,
      expected: 'expected-by-path.txt',
    },
    'runs the golden that is named by its title': {
      command: 'npm test -- -t "nobody ordered"',
      status: 0,
      expected: 'expected-by-title.txt',
    },
    'compiles a test of every entry with the library check on': { command: 'npm run types', status: 0, expected: 'expected-types.txt' },
    'goes back to a step, and on from there': {
      command: 'npm test -- --config vitest.travel.config.ts',
      status: 0,
      expected: 'expected-travel.txt',
    },
    'comes to the verdicts of every runner': {
      command: 'npm test -- --config vitest.verdicts.config.ts',
      status: 0,
      expected: 'expected-verdicts.txt',
    },
  },
})
