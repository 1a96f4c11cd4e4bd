import { lookBesideTest } from '../goldens/look-beside.ts'
import { jestRunner } from './test-runner.ts'

lookBesideTest(jestRunner)
