import { deadMountCases, testDeadMount } from './dead-mount-cases.ts'

// The others take seconds each: dead-mount.slow.test.ts.
for (const each of deadMountCases) if (each[0] === 'has run nothing, once the thread that writes has started') testDeadMount(each)
