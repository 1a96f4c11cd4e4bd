import { describeProject } from '../support/describe-project.ts'

// The same project as vitest-5, but for the runner: what that prints is what is expected.
const expected = '../vitest-5/expected-output.txt'

describeProject('vitest-4', {
  runs: {
    'tells what Vitest 5 does, in forks': { command: 'npm test -- --pool=forks', status: 1, expected },
    'tells it in threads': { command: 'npm test -- --pool=threads', status: 1, expected },
    // There, columns are those of the compiled code, and lines are 80 wide.
    'tells it in vmThreads': { command: 'npm test -- --pool=vmThreads', status: 1, expected: 'expected-in-vm-threads.txt' },
    'runs the golden that is named by its path': {
      command: 'npm test -- golden-traces/cancel-unshipped.jsonl',
      status: 0,
      expected: '../vitest-5/expected-by-path.txt',
    },
    'runs the golden that is named by its title': {
      command: 'npm test -- -t "nobody ordered"',
      status: 0,
      expected: '../vitest-5/expected-by-title.txt',
    },
    'compiles a test of every entry with the library check on': {
      command: 'npm run types',
      status: 0,
      expected: '../vitest-5/expected-types.txt',
    },
  },
})
