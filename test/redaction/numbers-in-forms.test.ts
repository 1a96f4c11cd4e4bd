import { setUpFormServer, testOtherNumbers, testSentNumbers, writtenNumbers } from '../support/numbers-in-forms.ts'

setUpFormServer()

// The other numbers: numbers-in-forms.slow.test.ts.

testSentNumbers(writtenNumbers.slice(0, 8))

testOtherNumbers(writtenNumbers.slice(0, 8))
