// oxlint-disable import/no-unassigned-import -- both are loaded for what they do
import './open-doors.ts'
import './set-stand-in-keys.ts'
