import { describeProject } from '../support/describe-project.ts'

describeProject('telemetry', {
  runs: { 'leaves out what six SDKs hand over, and records what agents ask of the same products': { status: 0 } },
})
