import { STORES } from '../faults/faulty-stores.ts'
import { testFaults } from '../faults/test-faults.ts'

testFaults(STORES, 8)
