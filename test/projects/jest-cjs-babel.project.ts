import { describeProject } from '../support/describe-project.ts'

describeProject('jest-cjs-babel', { runs: { 'tells which goldens hold': { status: 1 } } })
