import type { OrderProblem } from '#features/audiences/values.ts'
import { sampleMessage } from '../sample-message.ts'
import { PacingChoice } from './fields/pacing-choice.tsx'
import { ScheduleSection } from './fields/schedule-choice.tsx'
import { shownProblems } from './problems.ts'
import { CampaignSummary } from './summary/campaign-summary.tsx'
import { LastLook } from './summary/last-look.tsx'
import { refuse, type useCreateCampaign } from './use-create-campaign.ts'

interface LastSectionsProps {
	creation: ReturnType<typeof useCreateCampaign>
	/** The number of the first section. */
	number: number
	/** The problem of the template or its variables. */
	messageProblem: OrderProblem | undefined
	onTest: () => void
}

/** Shows the start of the campaign, and its summary with sample messages above the button that sends it. */
export function LastSections({ creation, number, messageProblem, onTest }: LastSectionsProps) {
	const { form, template, file, audience, problems } = creation
	const { estimate, reading } = audience
	const fields = form.values
	const looks = audience.recipients.map((recipient) => ({
		recipient,
		components: sampleMessage(template?.components ?? [], fields.variables, recipient),
	}))
	return (
		<>
			<ScheduleSection number={number} timing={fields} inputProps={(field) => form.getInputProps(field)}>
				{estimate && <PacingChoice estimate={estimate} inputProps={(field) => form.getInputProps(field)} />}
			</ScheduleSection>
			<CampaignSummary
				number={number + 1}
				look={template && looks.length > 0 && <LastLook template={template} looks={looks} />}
				{...{ fields, estimate, reading }}
				chosen={{ template: template?.name, audience: audience.name }}
				leftOut={audience.leftOut}
				problems={shownProblems(estimate?.problems ?? [], fields, !messageProblem)}
				isFilledIn={problems.length === 0}
				shortage={creation.shortage}
				busy={creation.busy}
				part={creation.part}
				isReading={file.isReading}
				onTest={() => (messageProblem ? refuse(form, messageProblem) : onTest())}
			/>
		</>
	)
}
