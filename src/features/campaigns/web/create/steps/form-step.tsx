import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormSection } from '#lib/web/ui/form-section.tsx'
import { STEP_HINTS, STEP_TITLES, STEPS, titleId, type Step } from './steps.ts'
import type { Steps } from './use-steps.ts'

interface FormStepProps {
	steps: Steps
	step: Step
	/** True when the fields of the step are complete. */
	done: boolean
	/** The choices of the step in one line, for when it was open and is closed. */
	line: ReactNode
	children: ReactNode
}

/** Renders the open step with the button to the next step, or the line of a closed step. */
export function FormStep({ steps, step, done, line, children }: FormStepProps) {
	const title = STEP_TITLES[step]
	const isOpen = steps.current === step
	const isPassed = steps.isPassed(step)
	return (
		<FormSection
			number={STEPS.indexOf(step) + 1}
			title={title}
			id={titleId(step)}
			done={done && (isPassed || (isOpen && step === 'check'))}
			closed={!isOpen && { line: isPassed ? line : STEP_HINTS[step], isPassed, onOpen: () => steps.open(step) }}
		>
			{children}
			{step !== 'check' && (
				<div>
					<Button type="submit" aria-label={`Continue from ${title.toLowerCase()}`}>
						Continue
					</Button>
				</div>
			)}
		</FormSection>
	)
}
