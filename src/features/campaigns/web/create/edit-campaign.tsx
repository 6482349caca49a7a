import { Box, Button, Group, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useRef, useState } from 'react'
import { valueProblems, type OrderProblem } from '#features/audiences/values.ts'
import { VariableInputs } from '#features/audiences/web/parts.tsx'
import { sampleMessage } from '#features/audiences/web/sample-message.ts'
import { campaigns, type CampaignDetail } from '#features/campaigns/contract.ts'
import { campaignPath } from '#features/campaigns/paths.ts'
import { useCustomFields } from '#features/contacts/web/custom-fields.ts'
import { templateTitle } from '#features/templates/template-words.ts'
import { mergeTags, slotsOf } from '#features/templates/values.ts'
import { TemplatePreview } from '#features/templates/web/parts.tsx'
import { formatDateTime, INDIAN_TIME_ZONE } from '#lib/dates.ts'
import { formatRupees } from '#lib/money.ts'
import { plural } from '#lib/numbers.ts'
import { call } from '#lib/web/api.ts'
import { firstMessages, useSchemaForm, type SchemaForm } from '#lib/web/form.ts'
import { limited } from '#lib/web/limited.ts'
import { invalidate } from '#lib/web/query.ts'
import { useNavigate } from '#lib/web/router/hooks.ts'
import { Link } from '#lib/web/router/link.tsx'
import { briefToast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import { FormSection } from '#lib/web/ui/form-section.tsx'
import { SubmitButton } from '#lib/web/ui/form/form-buttons.tsx'
import { GuardedForm } from '#lib/web/ui/form/guarded-form.tsx'
import { PreviewPane } from '#lib/web/ui/preview-pane.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import {
	opensAt,
	scheduleDatetime,
	tagsOfContacts,
	timingOf,
	timingProblems,
	type TimingFields,
} from './fields/campaign-fields.ts'
import { ScheduleFields } from './fields/schedule-choice.tsx'
import { useChosenTemplate } from './use-templates.ts'

interface EditFields extends TimingFields {
	name: string
	description: string
	variables: Record<string, string>
}

/** Shows the form that changes a campaign before it starts. Audience and cost are fixed. */
export function EditCampaign({ campaign }: { campaign: CampaignDetail }) {
	const navigate = useNavigate()
	// Only the columns of a file that are in use were stored.
	const known = tagsOfContacts(useCustomFields().fields)
	const used = mergeTags(campaign.variables)
	const tags = campaign.audienceType === 'file' ? used : [...new Set([...known, ...used])]
	const [question, setQuestion] = useState<EditFields | null>(null)
	const isAgreed = useRef(false)
	const state: SchemaForm<EditFields> = useSchemaForm({
		draft: `campaign:edit-${campaign._id}`,
		schema: (fields: EditFields) => firstMessages(problemsIn(fields, campaign, tags).slice(0, 1)),
		initialValues: initialFields(campaign),
		invalid: (errors) => briefToast.error(String(Object.values(errors)[0])),
		maySend: async () => {
			const fields = form.getValues()
			if (isAgreed.current || !startsOtherwise(fields, campaign)) return true
			setQuestion(fields)
			return false
		},
		submit: (fields) => call(campaigns.update, { params: { id: campaign._id }, body: bodyOf(fields) }),
		saved: async () => {
			briefToast.success('Campaign updated')
			await invalidate(campaigns.refresh, campaigns.get, campaigns.list)
			await navigate(campaignPath(campaign._id))
		},
		failed: (error) => briefToast.failure(error, 'Failed to save the campaign'),
	})
	const { form } = state
	// The header file is stored with the template.
	const template = useChosenTemplate(campaign.templateId ?? '')
	return (
		<Box className="columns" __vars={{ '--columns-aside': '340px' }}>
			<GuardedForm state={state}>
				<EditSections form={form} campaign={campaign} tags={tags} />
				<Group justify="flex-end" gap={8}>
					<Button component={Link} to={campaignPath(campaign._id)} variant="default" size="md">
						Cancel
					</Button>
					<SubmitButton size="md" busyText="Saving..." miw={140}>
						Save changes
					</SubmitButton>
				</Group>
			</GuardedForm>
			<TimeQuestion
				campaign={campaign}
				fields={question}
				onConfirm={() => {
					isAgreed.current = true
					setQuestion(null)
					state.onSubmit()
				}}
				onClose={() => setQuestion(null)}
			/>
			<PreviewPane>
				<TemplatePreview
					components={sampleMessage(campaign.components, form.values.variables, undefined)}
					template={template}
				/>
			</PreviewPane>
		</Box>
	)
}

/** Returns true when an edit sends paid messages at another time than the one confirmed before, such as now. */
function startsOtherwise(fields: EditFields, { status, onHold, opensAt: was }: CampaignDetail): boolean {
	return status === 'pending' && onHold > 0 && scheduleDatetime(fields) !== scheduleDatetime(timingOf(was))
}

interface TimeQuestionProps {
	campaign: CampaignDetail
	/** Form with the new time; null while no question is shown. */
	fields: EditFields | null
	onConfirm: () => void
	onClose: () => void
}

/** Asks before paid messages are sent at another time, with number, audience, time and cost. */
function TimeQuestion({ campaign, fields, onConfirm, onClose }: TimeQuestionProps) {
	const { totalCount, audience, onHold } = campaign
	const at = fields && opensAt(fields)
	return (
		<ConfirmDialog
			dialog={{ opened: fields !== null, close: onClose }}
			title={at ? 'Send at this time?' : 'Send this campaign now?'}
			confirm="Save changes"
			onConfirm={onConfirm}
		>
			<p>
				<b>{plural(totalCount, 'message')}</b> will be sent {at ? `on ${formatDateTime(at)} IST` : 'now'} to{' '}
				<b>
					<UserText text={audience} />
				</b>{' '}
				for <b>{formatRupees(onHold)}</b>. You can’t recall messages once sent.
			</p>
		</ConfirmDialog>
	)
}

interface EditSectionsProps {
	form: UseFormReturnType<EditFields>
	campaign: CampaignDetail
	tags: readonly string[]
}

function EditSections({ form, campaign, tags }: EditSectionsProps) {
	const { components, template, audience, totalCount } = campaign
	const { name, variables } = form.values
	const slots = slotsOf(components)
	return (
		<>
			<FormSection number={1} title="Campaign information" done={name.trim() !== ''}>
				<TextInput label="Campaign name" required {...limited(200, form.getInputProps('name'))} />
				<Textarea label="Description" minRows={2} {...limited(1000, form.getInputProps('description'))} />
				<p className="quiet">
					To <UserText text={audience} /> with the template {templateTitle(template.name)}.{' '}
					{totalCount === 1 ? 'The recipient' : 'The recipients'}, the template and the cost are fixed; to change those,
					cancel this campaign and duplicate it.
				</p>
			</FormSection>
			{slots.length > 0 && (
				<FormSection number={2} title="Variables" done={valueProblems(components, variables, tags).length === 0}>
					<VariableInputs
						components={components}
						source={{ fields: tags, recipient: undefined, gaps: {}, written: new Map() }}
						inputProps={(path) => form.getInputProps(path)}
					/>
				</FormSection>
			)}
			<FormSection number={slots.length > 0 ? 3 : 2} title="Schedule" done={timingProblems(form.values).length === 0}>
				<ScheduleFields timing={form.values} inputProps={(field) => form.getInputProps(field)} />
			</FormSection>
		</>
	)
}

function initialFields({ name, description, variables, opensAt: startsAt }: CampaignDetail): EditFields {
	return { name, description: description ?? '', variables, ...timingOf(startsAt) }
}

function problemsIn(
	fields: EditFields,
	{ components }: Pick<CampaignDetail, 'components'>,
	tags: readonly string[],
): OrderProblem[] {
	return [
		...(fields.name.trim() ? [] : [{ field: 'name', message: 'Campaign name is required' }]),
		...timingProblems(fields),
		...valueProblems(components, fields.variables, tags),
	]
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
