import { installReplayDoors } from '../boundaries/doors.ts'

// Open for the whole test file, so that a client created when the agent's module loads captures the doors instead of the originals.
installReplayDoors()
