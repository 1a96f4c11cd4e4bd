import { setUpFormServer, testOtherNumbers, testSentNumbers, writtenNumbers } from '../support/numbers-in-forms.ts'

setUpFormServer()

testSentNumbers(writtenNumbers.slice(8))

testOtherNumbers(writtenNumbers.slice(8))
