import { describeProject } from '../support/describe-project.ts'

describeProject('with-others', { runs: { 'holds beside what users have': { status: 0 } } })
