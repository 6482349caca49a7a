import type { OrderProblem } from '#features/audiences/values.ts'
import { timingProblems, type CampaignFields } from '../fields/campaign-fields.ts'
import { STEPS, type Step } from './steps.ts'

/** Returns the step with the input of a form field. */
export function stepOf(field: string): Step {
	if (['audienceType', 'selectedGroup', 'segmentId', 'file', 'headerFiles'].includes(field)) return 'people'
	const isTiming = ['schedule', 'date', 'time', 'holdOutPercent', 'recipientOrder', 'dailyStart'].includes(field)
	return isTiming ? 'when' : 'message'
}

/**
 * Returns the first problem of a step and those before it. Variables may be empty until people are chosen, as a file's
 * columns can fill them.
 */
export function problemBefore(
	step: Step,
	problems: readonly OrderProblem[],
	passed: readonly Step[],
): OrderProblem | undefined {
	const mayBeEmpty = step === 'message' && !passed.includes('people')
	return problems.find(
		({ field }) =>
			STEPS.indexOf(stepOf(field)) <= STEPS.indexOf(step) && !(mayBeEmpty && field.startsWith('variables.')),
	)
}

/** Returns the first step of a restored draft that is not done. A file has to be chosen again, and may fill in the variables. */
export function firstOpenStep(fields: CampaignFields): Step {
	const { name, templateId, variables, audienceType, selectedGroup, segmentId } = fields
	const isFile = audienceType === 'file'
	const hasGaps = !isFile && Object.values(variables).some((value) => !value.trim())
	if (!name.trim() || !templateId || hasGaps) return 'message'
	const isUnchosen = (audienceType === 'group' && !selectedGroup) || (audienceType === 'segment' && !segmentId)
	if (isFile || isUnchosen) return 'people'
	return timingProblems(fields).length > 0 ? 'when' : 'check'
}
