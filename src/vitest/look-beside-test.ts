import { expect } from 'vitest'
import { lookBesideTest } from '../goldens/look-beside-test.ts'

lookBesideTest(expect)
