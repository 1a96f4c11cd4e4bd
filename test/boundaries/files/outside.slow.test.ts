import {
  branchesCases,
  permittedCases,
  setUpFilesOutside,
  testBranches,
  testPermitted,
  testWays,
  waysCases,
} from '../../support/files-outside.ts'

setUpFilesOutside()

testWays(waysCases.filter((_, index) => index % 2 !== 0))

testPermitted(permittedCases.filter((_, index) => index % 3 !== 0))

testBranches(branchesCases.filter((_, index) => index % 2 !== 0))
