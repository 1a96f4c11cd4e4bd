import { fileURLToPath } from 'node:url'
import { describeProject } from '../support/describe-project.ts'

// Against real servers: Debian's packages postgresql, redis-server and mariadb-server; and a stand-in for MongoDB, which Debian does not have.
describeProject('databases', {
  env: { MONGO_STAND_IN: fileURLToPath(new URL('../support/mongo-stand-in.ts', import.meta.url)) },
  runs: {
    'replays agents of nine drivers and of frameworks on them, in two processes, and finds another order': { status: 0 },
    'replays clients that are opened when their module loads, in every runner, from sources and bundles': {
      command: 'npm run -s cells',
      status: 0,
      expected: 'expected-cells.txt',
    },
  },
})
