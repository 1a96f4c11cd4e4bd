import { lookBesideTest } from '../goldens/look-beside.ts'
import { vitestRunner } from './test-runner.ts'

lookBesideTest(vitestRunner)
