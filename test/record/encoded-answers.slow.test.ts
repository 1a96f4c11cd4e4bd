import { codings, damages, setUpEncodedAnswers, testDamages, testThreadPool } from '../support/encoded-answers.ts'

setUpEncodedAnswers()

testThreadPool(codings.slice(2))

testDamages(damages.slice(8))
