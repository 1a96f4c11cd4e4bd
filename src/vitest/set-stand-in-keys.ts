import { toldVariables } from '../config/golden-variables.ts'
import { setStandInKeys } from '../config/stand-in-keys.ts'

// Runs as the last setup file, so that keys set by the user's setup files stay.
setStandInKeys(toldVariables())
