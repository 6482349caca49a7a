import { Button, Group, Modal, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { campaigns, type CampaignDetail } from '#features/campaigns/contract.ts'
import { mergeTags, slotsOf } from '#features/campaigns/rules.ts'
import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import { call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { LeaveGuard } from '#lib/web/ui/leave-guard.tsx'
import {
	missingTime,
	pastError,
	scheduleDatetime,
	slotLabel,
	STANDARD_TAGS,
	timingOf,
	variableError,
	type FieldError,
	type TimingFields,
} from '../create/fields/campaign-fields.ts'
import { MergeTagsProvider } from '../create/fields/merge-tags.ts'
import { ScheduleChoice } from '../create/fields/schedule-choice.tsx'
import { VariableInput } from '../create/fields/variable-input.tsx'
import { focusOn, useOneAtATime } from '../create/use-one-at-a-time.ts'
import styles from '../report/campaign-detail.module.css'

interface EditCampaignProps {
	campaign: CampaignDetail
	opened: boolean
	onClose: () => void
}

/** Changes a campaign that has not started: its audience and cost are fixed, all else is not. */
export function EditCampaign({ campaign, opened, onClose }: EditCampaignProps) {
	return (
		<Modal opened={opened} onClose={onClose} title="Edit campaign" size={560} closeOnClickOutside={false}>
			<EditForm campaign={campaign} onClose={onClose} />
		</Modal>
	)
}

interface EditFields extends TimingFields {
	name: string
	description: string
	variables: Record<string, string>
}

function EditForm({ campaign, onClose }: Omit<EditCampaignProps, 'opened'>) {
	const { _id, components, audienceType, totalCount } = campaign
	// Of a file, only the columns that are in use were kept.
	const tags = audienceType === 'file' ? mergeTags(campaign.variables) : STANDARD_TAGS
	const form = useForm<EditFields>({ initialValues: initialFields(campaign) })
	const fields = form.values
	const { busy, run } = useOneAtATime((error) => briefToast.failure(error, 'Failed to save the campaign'))

	const save = async () => {
		const { message } = await call(campaigns.update, { params: { id: _id }, body: bodyOf(fields) })
		briefToast.success(message)
		await invalidate(campaigns.refresh, campaigns.get, campaigns.list, campaigns.dashboard)
		onClose()
	}
	const submit = () => {
		const error = errorIn(fields, { components, tags })
		if (!error) return void run(save)
		form.setFieldError(error.path, error.message)
		focusOn(form.getInputNode(error.path))
	}
	return (
		<MergeTagsProvider value={tags}>
			<form
				className="stack"
				noValidate
				onSubmit={(event) => {
					event.preventDefault()
					submit()
				}}
			>
				<LeaveGuard dirty={form.isDirty() && !busy} />
				<TextInput label="Campaign name" required maxLength={200} data-autofocus {...form.getInputProps('name')} />
				<Textarea
					label="Description"
					autosize
					minRows={2}
					maxRows={5}
					maxLength={1000}
					{...form.getInputProps('description')}
				/>
				{slotsOf(components).map((slot) => (
					<VariableInput
						key={slot.key}
						label={slotLabel(slot, components)}
						value={fields.variables[slot.key] ?? ''}
						onChange={(value) => form.setFieldValue(`variables.${slot.key}`, value)}
						inputProps={form.getInputProps(`variables.${slot.key}`)}
					/>
				))}
				<ScheduleChoice timing={fields} inputProps={(field) => form.getInputProps(field)} />
				<p className={styles.quiet}>
					The template and the {totalCount === 1 ? 'recipient' : 'recipients'} stay as they are, and so does the cost.
					To change those, cancel this campaign and duplicate it.
				</p>
				<Group justify="flex-end" gap={8}>
					<Button variant="default" onClick={onClose} disabled={busy}>
						Cancel
					</Button>
					<Button type="submit" disabled={busy} aria-busy={busy} miw={104}>
						{busy ? 'Saving...' : 'Save'}
					</Button>
				</Group>
			</form>
		</MergeTagsProvider>
	)
}

function initialFields({ name, description, variables, opensAt }: CampaignDetail): EditFields {
	return { name, description: description ?? '', variables, ...timingOf(opensAt) }
}

function errorIn(
	fields: EditFields,
	{ components, tags }: Pick<CampaignDetail, 'components'> & { tags: readonly string[] },
): FieldError | null {
	if (!fields.name.trim()) return { path: 'name', message: 'Campaign name is required' }
	return missingTime(fields) ?? variableError(fields.variables, { components }, tags) ?? pastError(fields)
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
