import { describeProject } from '../support/describe-project.ts'

describeProject('anthropic', { runs: { 'tells which goldens hold': { status: 1 } } })
