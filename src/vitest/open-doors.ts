import { installReplayDoors } from '../boundaries/doors.ts'

// Open for the whole test file, so that a client created while the agent's module loads captures the doors and not the originals.
installReplayDoors()
