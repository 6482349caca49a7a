export const STEPS = ['message', 'people', 'when', 'check'] as const
export type Step = (typeof STEPS)[number]

export const STEP_TITLES: Record<Step, string> = { message: 'Message', people: 'People', when: 'When', check: 'Check' }

/** The line of a closed step that was not open yet. */
export const STEP_HINTS: Record<Step, string> = {
	message: 'Name it and choose a template',
	people: 'Choose who receives it',
	when: 'Send it now, or choose a day and time',
	check: 'See the cost, then send',
}

export const titleId = (step: Step) => `step-${step}`

/** The look of the send button until the form is complete. */
export const QUIET_SEND = { variant: 'subtle', color: 'gray', px: 12 } as const

/** The line in place of the cost while no template is chosen, which has the price. */
export const COST_HINT = 'Choose a template to see the cost.'
