import { forms, testStartedForms } from '../../support/started-children.ts'

testStartedForms(forms.slice(4))
