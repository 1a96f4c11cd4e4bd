import { declaredCases, setUpBait, stepsCases, testDeclared, testSteps } from '../support/ways-taken.ts'

setUpBait()

testSteps(stepsCases.filter((_, index) => index % 3 !== 0))

testDeclared(declaredCases.filter((_, index) => index % 3 !== 0))
