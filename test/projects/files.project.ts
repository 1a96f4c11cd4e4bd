import { locateNode } from '../../scripts/locate-node.ts'
import { describeProject } from '../support/describe-project.ts'

const nodes = Object.fromEntries([22, 26].map((major) => [major, locateNode(major).path]))

// Files outside the project, on a machine that has other ones.
describeProject('files', {
  env: { NODES: JSON.stringify(nodes) },
  runs: {
    'replays agents over files that are others by now, in every runner, on every Node and from bundles, and writes nothing real': {
      status: 0,
    },
  },
})
