import type { OrderProblem } from '#features/audiences/values.ts'

export const STEPS = ['message', 'people', 'when', 'check'] as const
export type Step = (typeof STEPS)[number]

export const STEP_TITLES: Record<Step, string> = { message: 'Message', people: 'People', when: 'When', check: 'Check' }

/** Returns the step that has the input of a form field. */
export function stepOf(field: string): Step {
	if (['audienceType', 'selectedGroup', 'segmentId', 'file'].includes(field)) return 'people'
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
