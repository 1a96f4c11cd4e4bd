import { greenEndsCases, setUpEndOrder, testGreenEnds } from '../support/end-order-runs.ts'

setUpEndOrder()

testGreenEnds([...greenEndsCases.slice(0, 3), ...greenEndsCases.slice(6)])
