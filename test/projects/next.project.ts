import { describeProject } from '../support/describe-project.ts'

const env = { NEXT_TELEMETRY_DISABLED: '1' }

describeProject('next', {
  env,
  runs: {
    'records runs of a route handler, built by Turbopack': { command: 'npm run -s turbopack', status: 0 },
    'records runs of a route handler, built by webpack': { command: 'npm run -s webpack', status: 0 },
  },
})
