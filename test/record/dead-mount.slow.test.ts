import { deadMountCases, testDeadMount } from './dead-mount-cases.ts'

for (const each of deadMountCases) testDeadMount(each)
