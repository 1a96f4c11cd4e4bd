import { describeProject } from '../support/describe-project.ts'

describeProject('clients', {
  runs: { 'replays what the clients of ten services do, in two processes, and finds another id': { status: 0 } },
})
