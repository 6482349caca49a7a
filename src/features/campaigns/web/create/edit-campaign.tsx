import { Button, Group, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { campaigns, type CampaignDetail } from '#features/campaigns/contract.ts'
import { campaignPath } from '#features/campaigns/paths.ts'
import { mergeTags, slotLabel, slotsOf } from '#features/campaigns/rules.ts'
import { TemplatePreview } from '#features/templates/web/parts.tsx'
import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import { call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { LeaveGuard } from '#lib/web/ui/feedback/leave-guard.tsx'
import { FormSection } from '#lib/web/ui/form-section.tsx'
import { PreviewPane } from '#lib/web/ui/preview-pane.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { sampleMessage } from '../sample-message.ts'
import {
	missingTime,
	pastError,
	scheduleDatetime,
	STANDARD_TAGS,
	timingOf,
	variableError,
	type FieldError,
	type TimingFields,
} from './fields/campaign-fields.ts'
import { MergeTagsProvider } from './fields/merge-tags.ts'
import { ScheduleChoice } from './fields/schedule-choice.tsx'
import { VariableInput } from './fields/variable-input.tsx'
import { focusOn, useOneAtATime } from './use-one-at-a-time.ts'
import { useChosenTemplate } from './use-templates.ts'
import styles from './create-campaign.module.css'

interface EditFields extends TimingFields {
	name: string
	description: string
	variables: Record<string, string>
}

/** Changes a campaign that has not started: its audience and cost are fixed, all else is not. */
export function EditCampaign({ campaign }: { campaign: CampaignDetail }) {
	const form = useForm<EditFields>({ initialValues: initialFields(campaign) })
	// Of a file, only the columns that are in use were kept.
	const tags = campaign.audienceType === 'file' ? mergeTags(campaign.variables) : STANDARD_TAGS
	const { busy, isSaved, submit } = useSave({ form, campaign, tags })
	// The header's file stands with the template itself.
	const template = useChosenTemplate(campaign.templateId ?? '')
	return (
		<MergeTagsProvider value={tags}>
			<div className={styles.columns}>
				<form
					className="stack"
					noValidate
					onSubmit={(event) => {
						event.preventDefault()
						submit()
					}}
				>
					<EditSections form={form} campaign={campaign} />
					<Group justify="flex-end" gap={8}>
						<Button component={Link} to={campaignPath(campaign._id)} variant="default" size="md">
							Cancel
						</Button>
						<Button type="submit" size="md" disabled={busy} aria-busy={busy} miw={140}>
							{busy ? 'Saving...' : 'Save changes'}
						</Button>
					</Group>
				</form>
				<PreviewPane>
					<TemplatePreview
						components={sampleMessage(campaign.components, form.values.variables, undefined)}
						template={template}
					/>
				</PreviewPane>
			</div>
			<LeaveGuard dirty={form.isDirty() && !isSaved} />
		</MergeTagsProvider>
	)
}

interface EditSectionsProps {
	form: UseFormReturnType<EditFields>
	campaign: CampaignDetail
}

function EditSections({ form, campaign: { components, template, audience, totalCount } }: EditSectionsProps) {
	const { name, variables, schedule, date, time } = form.values
	const slots = slotsOf(components)
	return (
		<>
			<FormSection number={1} title="Campaign information" done={name.trim() !== ''}>
				<TextInput label="Campaign name" required maxLength={200} {...form.getInputProps('name')} />
				<Textarea label="Description" minRows={2} maxLength={1000} {...form.getInputProps('description')} />
				<p className={styles.quiet}>
					To <UserText text={audience} /> with the template {template.name}.{' '}
					{totalCount === 1 ? 'The recipient' : 'The recipients'}, the template and the cost are fixed; to change those,
					cancel this campaign and duplicate it.
				</p>
			</FormSection>
			{slots.length > 0 && (
				<FormSection number={2} title="Values" done={slots.every(({ key }) => variables[key]?.trim())}>
					{slots.map((slot) => (
						<VariableInput
							key={slot.key}
							label={slotLabel(slot, components)}
							value={variables[slot.key] ?? ''}
							onChange={(value) => form.setFieldValue(`variables.${slot.key}`, value)}
							inputProps={form.getInputProps(`variables.${slot.key}`)}
						/>
					))}
				</FormSection>
			)}
			<FormSection
				number={slots.length > 0 ? 3 : 2}
				title="Schedule"
				done={schedule === 'now' || Boolean(date && time)}
			>
				<ScheduleChoice timing={form.values} inputProps={(field) => form.getInputProps(field)} />
			</FormSection>
		</>
	)
}

function useSave({ form, campaign, tags }: EditSectionsProps & { tags: readonly string[] }) {
	const navigate = useNavigate()
	const [isSaved, setSaved] = useState(false)
	const { busy, run } = useOneAtATime((error) => briefToast.failure(error, 'Failed to save the campaign'))
	const save = async () => {
		await call(campaigns.update, { params: { id: campaign._id }, body: bodyOf(form.getValues()) })
		briefToast.success('Campaign updated')
		setSaved(true)
		await invalidate(campaigns.refresh, campaigns.get, campaigns.list, campaigns.dashboard)
		await navigate(campaignPath(campaign._id))
	}
	const submit = () => {
		const error = errorIn(form.getValues(), campaign, tags)
		if (!error) return void run(save)
		form.setFieldError(error.path, error.message)
		briefToast.error(error.message)
		focusOn(form.getInputNode(error.path))
	}
	return { busy, isSaved, submit }
}

function initialFields({ name, description, variables, opensAt }: CampaignDetail): EditFields {
	return { name, description: description ?? '', variables, ...timingOf(opensAt) }
}

function errorIn(
	fields: EditFields,
	campaign: Pick<CampaignDetail, 'components'>,
	tags: readonly string[],
): FieldError | null {
	if (!fields.name.trim()) return { path: 'name', message: 'Campaign name is required' }
	return missingTime(fields) ?? variableError(fields.variables, campaign, tags) ?? pastError(fields)
}

function bodyOf(fields: EditFields) {
	const at = scheduleDatetime(fields)
	return {
		name: fields.name.trim(),
		description: fields.description.trim(),
		variables: fields.variables,
		schedule: fields.schedule,
		timezone: INDIAN_TIME_ZONE,
		...(at && { scheduleDatetime: at }),
	}
}
