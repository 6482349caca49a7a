import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormSection } from '#lib/web/ui/form-section.tsx'
import { STEP_TITLES, type Step } from './step-fields.ts'
import { titleId, type Steps } from './use-steps.ts'

interface FormStepProps {
	steps: Steps
	step: Step
	number: number
	/** True when the fields of the step are complete. */
	done: boolean
	/** The choices of the step in one line, for when it is closed. */
	line: ReactNode
	children: ReactNode
}

/** Renders a step with the button that closes it, or the line of a closed step. */
export function FormStep({ steps, step, number, done, line, children }: FormStepProps) {
	const title = STEP_TITLES[step]
	return (
		<FormSection
			number={number}
			title={title}
			id={titleId(step)}
			done={done && (step === 'check' || steps.isPassed(step))}
			closed={!steps.isOpen(step) && { line, onChange: () => steps.reopen(step) }}
		>
			{children}
			{step !== 'check' && (
				<div>
					<Button
						variant={steps.current === step ? 'filled' : 'default'}
						onClick={() => steps.next(step)}
						aria-label={`Continue from ${title.toLowerCase()}`}
					>
						Continue
					</Button>
				</div>
			)}
		</FormSection>
	)
}
