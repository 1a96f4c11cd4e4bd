import { lookBesideTest } from '../goldens/look-beside-test.ts'
import { jestRunner } from './test-runner.ts'

lookBesideTest(jestRunner)
