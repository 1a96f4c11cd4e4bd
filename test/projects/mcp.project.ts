import { describeProject } from '../support/describe-project.ts'

describeProject('mcp', {
  runs: {
    'replays agents of seven clients of MCP and of processes, in two processes, and finds another order': { status: 0 },
    'replays a client that is opened when its module loads, in every runner, from sources and bundles': {
      command: 'npm run -s cells',
      status: 0,
      expected: 'expected-cells.txt',
    },
  },
})
