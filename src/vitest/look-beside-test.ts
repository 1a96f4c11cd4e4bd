import { tellTestRunner } from '../goldens/test-runner.ts'
import { vitestRunner } from './test-runner.ts'

tellTestRunner(vitestRunner)
