import { testOwnWork, works } from './own-work-branches.ts'

const soon = ['a key', 'a live call']

// The others: own-work-order.slow.test.ts.
testOwnWork(Object.entries(works).filter(([name]) => soon.includes(name)))
