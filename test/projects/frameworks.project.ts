import { describeProject } from '../support/describe-project.ts'

// Its package.json overrides what Genkit (telemetry of Google Cloud) and VoltAgent (other providers) install and nothing here loads: hundreds of packages.
describeProject('frameworks', {
  runs: {
    'replays agents of eight frameworks, in two processes, and finds each edit of their sources': {
      status: 0,
      // VoltAgent asks a site for its list of models where it is not in production.
      env: { NODE_ENV: 'production' },
    },
  },
})
