import { setUpAttackedForks, swallowedAnswersCases, testSwallowedAnswers } from '../support/attacked-forks.ts'

setUpAttackedForks()

testSwallowedAnswers(swallowedAnswersCases.slice(2))
