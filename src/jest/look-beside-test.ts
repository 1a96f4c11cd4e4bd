import { expect } from '@jest/globals'
import { lookBesideTest } from '../goldens/look-beside-test.ts'

lookBesideTest(expect)
