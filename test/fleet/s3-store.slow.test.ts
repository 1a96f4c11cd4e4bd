import { isQuickOfTiers, isSlowOfBucket, setUpS3, testBucket, testTiers } from '../support/s3-checks.ts'

setUpS3()
testBucket(isSlowOfBucket)
testTiers((check) => !isQuickOfTiers(check))
