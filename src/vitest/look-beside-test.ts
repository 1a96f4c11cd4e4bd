import { lookBesideTest } from '../goldens/look-beside-test.ts'
import { vitestRunner } from './test-runner.ts'

lookBesideTest(vitestRunner)
