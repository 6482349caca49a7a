import type { UseFormReturnType } from '@mantine/form'
import { useState, type SyntheticEvent } from 'react'
import type { OrderProblem } from '#features/audiences/values.ts'
import type { FormDraft } from '#lib/web/drafts/use-form-draft.ts'
import { focusOn } from '#lib/web/form.ts'
import { useAfterRender } from '#lib/web/ui/use-after-render.ts'
import type { CampaignFields } from '../fields/campaign-fields.ts'
import { firstOpenStep, problemBefore, stepOf } from './step-fields.ts'
import { STEPS, titleId, type Step } from './steps.ts'

/** The steps of the form, and the moves between them. */
export interface Steps {
	/** The open step. */
	current: Step
	/** True once the step was open and another one was opened. */
	isPassed: (step: Step) => boolean
	/** Opens the first step that was not open yet, or shows the problem that keeps the open step open. For the form's submit. */
	next: (event?: SyntheticEvent) => void
	/** Opens a step and focuses the element with this id, or the title of the step without one. */
	open: (step: Step, id?: string) => void
	/** Opens the step of a problem, and shows the problem at its input. */
	show: (problem: OrderProblem) => void
}

/** Returns the steps of a form, of which one is open: at first the message, and with a draft the first that is not done. */
export function useSteps(
	form: UseFormReturnType<CampaignFields>,
	problems: readonly OrderProblem[],
	draft: FormDraft['state'],
): Steps {
	const [current, setCurrent] = useState<Step>('message')
	const [passed, setPassed] = useState<readonly Step[]>([])
	const focusField = useAfterRender((field: string) => focusOn(form.getInputNode(field)))
	const focusFirst = useAfterRender((ids: readonly string[]) =>
		focusOn(ids.map((id) => document.getElementById(id)).find((node) => node !== null)),
	)

	const [seen, setSeen] = useState<FormDraft['state']>('none')
	// The first render comes before the values are restored.
	if (draft !== seen && draft !== 'none' && (draft === 'discarded' || form.isDirty())) {
		const first = firstOpenStep(form.values)
		setSeen(draft)
		setCurrent(first)
		setPassed(STEPS.slice(0, STEPS.indexOf(first)))
	}

	const moveTo = (step: Step) => {
		if (step !== current) setPassed([...passed, current])
		setCurrent(step)
	}
	const open = (step: Step, id = titleId(step)) => {
		moveTo(step)
		focusFirst([id, titleId(step)])
	}
	const show = ({ field, message }: OrderProblem) => {
		moveTo(stepOf(field))
		form.setFieldError(field, message)
		focusField(field)
	}
	return {
		current,
		isPassed: (step) => passed.includes(step),
		open,
		show,
		next(event) {
			event?.preventDefault()
			const problem = problemBefore(current, problems, passed)
			if (problem) show(problem)
			else open(STEPS.find((step) => step !== current && !passed.includes(step)) ?? 'check')
		},
	}
}
