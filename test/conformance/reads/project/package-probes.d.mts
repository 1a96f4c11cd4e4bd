export { reads, waits } from '../../../boundaries/register/programs/probes.mjs'
