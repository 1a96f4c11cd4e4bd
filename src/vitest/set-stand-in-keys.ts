import { setStandInKeys } from './stand-in-keys.ts'

// A setup file that runs last: keys that the user's setup files have loaded stay.
setStandInKeys()
