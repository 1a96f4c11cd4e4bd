import { locateNode } from '../../scripts/locate-node.ts'
import { describeProject } from '../support/describe-project.ts'

const nodes = Object.fromEntries([22, 26].map((major) => [major, locateNode(major).path]))

// HTTP/2, gRPC and WebSockets, by the clients that agents have.
describeProject('channels', {
  env: { NODES: JSON.stringify(nodes) },
  runs: {
    'replays nine agents over channels that eight runs share, in two processes, and finds another order': { status: 0 },
    'replays channels that are opened when their module loads, in every runner and on every Node': {
      command: 'npm run -s cells -- sources',
      status: 0,
      expected: 'expected-cells.txt',
    },
    'replays what was recorded from bundles': { command: 'npm run -s cells -- bundles', status: 0, expected: 'expected-bundles.txt' },
  },
})
