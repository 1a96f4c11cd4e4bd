import { testFaults } from './test-faults.ts'

// With Redis: test/services/store-faults.service.ts. All of them: `npm run test:full -- stores`.
testFaults(['a directory', 'a bucket'], 4)
