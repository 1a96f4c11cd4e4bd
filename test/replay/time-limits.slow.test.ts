import {
  busyProcessCases,
  greenPausesCases,
  limitedAgents,
  setUpLimitedCalls,
  testBusyProcess,
  testGreenPauses,
  testLongerLimit,
  testShorterLimit,
} from '../support/limited-calls.ts'

setUpLimitedCalls()

testShorterLimit(limitedAgents.slice(3))

testLongerLimit(limitedAgents.slice(3))

testGreenPauses(greenPausesCases.slice(2))

testBusyProcess(busyProcessCases.slice(1))
