import { testOwnWork, works } from './own-work-branches.ts'

// The others: own-work-order.slow.test.ts.
testOwnWork(Object.entries(works).filter(([name]) => name === 'a key'))
