import { expect } from 'vitest'
import { runSerializer } from '../matchers/run-serializer.ts'

expect.addSnapshotSerializer(runSerializer)
