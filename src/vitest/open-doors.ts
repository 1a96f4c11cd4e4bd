import { installDoors } from '../boundaries/doors.ts'

// For as long as the test file runs: a client that is made when the agent's module loads takes hold of the doors, not of what lies behind them.
installDoors()
