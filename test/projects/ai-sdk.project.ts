import { describeProject } from '../support/describe-project.ts'

describeProject('ai-sdk', { runs: { 'tells which goldens hold': { status: 1 } } })
