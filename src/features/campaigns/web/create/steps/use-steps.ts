import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useRef, useState } from 'react'
import type { OrderProblem } from '#features/audiences/values.ts'
import { focusOn } from '#lib/web/form.ts'
import type { CampaignFields } from '../fields/campaign-fields.ts'
import { problemBefore, STEPS, stepOf, type Step } from './step-fields.ts'

/** The steps of the form, and the moves between them. */
export interface Steps {
	isOpen: (step: Step) => boolean
	/** True after the step's Continue. */
	isPassed: (step: Step) => boolean
	/** The first open step. */
	current: Step
	/** Closes a step and focuses the next open one, or shows the problem that keeps the step open. */
	next: (step: Step) => void
	/** Opens a closed step, and closes another one that was opened again. */
	reopen: (step: Step) => void
	/** Opens the step of a problem, and shows the problem at its input. */
	show: (problem: OrderProblem) => void
}

/**
 * Returns the steps of a form. All are open at first, and each is closed by its own Continue, so that a person or program
 * that fills in the fields from top to bottom finds each of them.
 */
export function useSteps(form: UseFormReturnType<CampaignFields>, problems: readonly OrderProblem[]): Steps {
	const [passed, setPassed] = useState<readonly Step[]>([])
	const [reopened, setReopened] = useState<Step | null>(null)
	const wanted = useRef<{ field?: string; step?: Step } | null>(null)
	const isOpen = (step: Step) => !passed.includes(step) || step === reopened

	// The input or title is rendered with the change of the steps, so the focus moves after it.
	useEffect(() => {
		const { field, step } = wanted.current ?? {}
		wanted.current = null
		if (field) focusOn(form.getInputNode(field))
		if (step) focusOn(document.getElementById(titleId(step)))
	})

	const show = ({ field, message }: OrderProblem) => {
		wanted.current = { field }
		setReopened(stepOf(field))
		form.setFieldError(field, message)
	}
	return {
		isOpen,
		isPassed: (step) => passed.includes(step),
		current: STEPS.find(isOpen) ?? 'check',
		show,
		reopen(step) {
			wanted.current = { step }
			setReopened(step)
		},
		next(step) {
			const problem = problemBefore(step, problems, passed)
			const isOwn = problem !== undefined && stepOf(problem.field) === step
			const now = isOwn ? passed : [...passed, step]
			setPassed(now)
			setReopened(null)
			if (problem) show(problem)
			else wanted.current = { step: STEPS.find((other) => !now.includes(other)) ?? 'check' }
		},
	}
}

export const titleId = (step: Step) => `step-${step}`
