import type { ReactNode } from 'react'
import { VariableInputs } from '#features/audiences/web/parts.tsx'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { PersonFiles } from '#features/header-files/web/parts.tsx'
import { templateTitle } from '#features/templates/template-words.ts'
import { mediaPlacesOf, slotsOf } from '#features/templates/values.ts'
import { plural } from '#lib/numbers.ts'
import { invalidate } from '#lib/web/query.ts'
import { latePart, usePreloaded } from '#lib/web/ui/late-part.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { changedChoices, spell } from '../fields/campaign-fields.ts'
import { TemplateChoice } from '../fields/template-choice.tsx'
import { CampaignInfo } from '../summary/campaign-info.tsx'
import type { Creation } from '../use-create-campaign.ts'
import { useFirstContacts } from '../use-estimate.ts'
import { FormStep } from './form-step.tsx'
import { stepOf } from './step-fields.ts'
import { STEP_HINTS, type Step } from './steps.ts'

// Loaded late, because they are closed at first.
const AudienceChoice = latePart(() => import('../fields/audience-choice.tsx').then((module) => module.AudienceChoice))
const WhenStep = latePart(() => import('./later-steps.tsx').then((module) => module.WhenStep))
const CheckStep = latePart(() => import('./later-steps.tsx').then((module) => module.CheckStep))

interface CampaignStepsProps {
	creation: Creation
	/** Number of templates that can be sent; undefined until known, null when the call failed. */
	templateCount: number | null | undefined
	/** The account's delivery rate of a month; undefined until known, null without a rate or when the call failed. */
	deliveryRate: number | null | undefined
	/** The send button, while it is in the last step. */
	send: ReactNode
	onTest: () => void
}

/** Shows the form in the order in which people plan a campaign: message, people, time, check. */
export function CampaignSteps({ creation, templateCount, deliveryRate, ...check }: CampaignStepsProps) {
	const { form, template, file, audience, problems, steps } = creation
	const { estimate } = audience
	const fields = form.values
	const isDone = (step: Step) => !problems.some(({ field }) => stepOf(field) === step)
	const isReached = (estimate?.recipients ?? 0) > 0
	const media = template && mediaPlacesOf(template.components).find(({ card }) => card === null)
	const contacts = useFirstContacts('')
	usePreloaded(AudienceChoice, WhenStep, CheckStep)
	return (
		<>
			<FormStep steps={steps} step="message" done={isDone('message')} line={messageLine(creation)}>
				<CampaignInfo
					inputProps={(path) => form.getInputProps(path)}
					contacts={contacts.data?.total ?? (contacts.isError ? null : undefined)}
					templates={templateCount}
					deliveryRate={deliveryRate}
				/>
				<TemplateChoice form={form} template={template} count={templateCount} />
				{template && slotsOf(template.components).length > 0 && (
					<VariableInputs
						key={template._id}
						components={template.components}
						source={audience}
						inputProps={(path) => form.getInputProps(path)}
						onFormat={(tag, format) => form.setFieldValue('formats', { ...fields.formats, [tag]: format })}
					/>
				)}
			</FormStep>
			<FormStep
				steps={steps}
				step="people"
				done={isDone('people') && isReached}
				line={
					<>
						<UserText text={audience.name ?? 'Not chosen yet'} />
						{audience.name && estimate && ` · ${plural(estimate.recipients, 'person gets it', 'people get it')}`}
					</>
				}
			>
				<AudienceChoice form={form} audience={file} />
				{media && (
					<PersonFiles
						kind={media.kind}
						choice={fields.headerFiles}
						onChange={(choice) => form.setFieldValue('headerFiles', choice)}
						columns={audience.fields}
						match={estimate?.files}
						onUploaded={() => void invalidate(campaignPreflight.estimate, campaignPreflight.audienceFile)}
						error={form.errors.headerFiles}
					/>
				)}
			</FormStep>
			<FormStep
				steps={steps}
				step="when"
				done={isDone('when')}
				line={[fields.schedule === 'now' ? 'Now' : spell(fields) || 'No date yet', ...changedChoices(fields)].join(
					' · ',
				)}
			>
				<WhenStep creation={creation} />
			</FormStep>
			<FormStep steps={steps} step="check" done={creation.isReady} line={STEP_HINTS.check}>
				<CheckStep creation={creation} {...check} />
			</FormStep>
		</>
	)
}

function messageLine({ form, template, problems }: Creation) {
	const missing = problems.filter(({ field }) => field.startsWith('variables.')).length
	return (
		<>
			<UserText text={form.values.name.trim() || 'No name yet'} />
			{` · ${template ? templateTitle(template.name) : 'no template yet'}`}
			{missing > 0 && <span className="faulty"> · {plural(missing, 'variable')} to fill in</span>}
		</>
	)
}
