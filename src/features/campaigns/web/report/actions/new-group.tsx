import { Anchor, Box, Button, Group, Radio, Stack, TextInput } from '@mantine/core'
import { IconUsersPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { campaignReports, type RecipientGroup } from '#features/campaigns/report-contract.ts'
import { REPLIED_MEANS } from '#features/campaigns/rules.ts'
import { contacts } from '#features/contacts/contract.ts'
import { groupContactsPath } from '#features/contacts/paths.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import { call, messageOf } from '#lib/web/api.ts'
import { useSchemaForm, type FieldErrors, type SchemaForm } from '#lib/web/form.ts'
import { limited } from '#lib/web/limited.ts'
import { invalidate, query } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import { draftName, useDraftDialog } from '#lib/web/ui/state/use-draft-dialog.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { listName, MAX_NAME_LENGTH, type Report } from '../report.ts'

/** The name of the draft and the dialog. */
const DRAFT = 'recipients-group'

interface Fields {
	of: RecipientGroup
	/** Null while the suggested name applies. */
	typed: string | null
}

interface CreatedGroup {
	_id: string
	name: string
}

interface NewGroupProps {
	report: Pick<Report, 'campaign' | 'statusCounts'>
}

/** Creates a contact group of the recipients in a status, for a next campaign. */
export function NewGroup({ report }: NewGroupProps) {
	const { _id } = report.campaign
	const { subject, open, ...dialog } = useDraftDialog<{ _id: string }>(DRAFT)
	const opened = dialog.opened && subject?._id === _id
	return (
		<>
			<Button variant="default" leftSection={<IconUsersPlus size={16} aria-hidden />} onClick={() => open({ _id })}>
				Save people as a group
			</Button>
			<FormDialog dialog={{ ...dialog, opened }} title="New group from recipients" size={480}>
				<GroupForm report={report} onClose={dialog.close} />
			</FormDialog>
		</>
	)
}

const CHOICES: readonly { of: RecipientGroup; label: string; suffix: string; count: (report: Counted) => number }[] = [
	{
		of: 'unread',
		label: 'Delivered but not read',
		suffix: 'not read',
		count: ({ statusCounts }) => statusCounts.delivered,
	},
	{ of: 'read', label: 'Read', suffix: 'read', count: ({ statusCounts }) => statusCounts.read },
	{ of: 'replied', label: 'Replied', suffix: 'replied', count: ({ campaign }) => campaign.repliedCount },
	{ of: 'clicked', label: 'Clicked a link', suffix: 'clicked', count: ({ campaign }) => campaign.clickedCount },
	{ of: 'failed', label: 'Failed', suffix: 'failed', count: ({ statusCounts }) => statusCounts.failed },
]
type Counted = NewGroupProps['report']

function GroupForm({ report, onClose }: NewGroupProps & { onClose: () => void }) {
	const { campaign } = report
	const [first] = useState(() => CHOICES.find(({ count }) => count(report) > 0)?.of ?? 'unread')
	const [created, setCreated] = useState<CreatedGroup | null>(null)
	const bodyOf = ({ of, typed }: Fields) => ({
		of,
		name: typed ?? listName(campaign.name, CHOICES.find((choice) => choice.of === of)?.suffix ?? ''),
	})
	const state: SchemaForm<Fields> = useSchemaForm({
		draft: draftName(DRAFT, campaign),
		schema: (): FieldErrors => ({}),
		initialValues: { of: first, typed: null },
		submit: (fields) => call(campaignReports.createGroup, { params: { id: campaign._id }, body: bodyOf(fields) }),
		saved: async ({ group }) => {
			setCreated(group)
			await invalidate(contacts.groups, contacts.list, contacts.latest)
		},
		failed: (error): void => form.setFieldError('typed', messageOf(error, 'Failed to save contact group')),
	})
	const { form } = state
	const { of, name } = bodyOf(form.values)
	if (created) return <Created group={created} onClose={onClose} />
	return (
		<Form state={state}>
			<Radio.Group label="Recipients to include" value={of} onChange={(value) => form.setFieldValue('of', value)}>
				<Stack gap={10} mt={8}>
					{CHOICES.filter((choice) => choice.of !== 'clicked' || campaign.countsClicks).map((choice) => {
						const count = choice.count(report)
						return (
							<Radio
								key={choice.of}
								value={choice.of}
								disabled={count === 0}
								label={`${choice.label} (${formatCount(count)})`}
								description={choice.of === 'replied' ? REPLIED_MEANS : undefined}
							/>
						)
					})}
				</Stack>
			</Radio.Group>
			<TextInput
				label="Name of the group"
				required
				{...limited(MAX_NAME_LENGTH, { ...form.getInputProps('typed'), value: name })}
			/>
			<Outlook id={campaign._id} of={of} />
			<FormButtons busyText="Creating...">Create group</FormButtons>
		</Form>
	)
}

/** Shows the effect on existing contacts. */
function Outlook({ id, of }: { id: string; of: RecipientGroup }) {
	const reading = useQuery({
		...query(campaignReports.groupEstimate, { params: { id }, query: { of } }),
		placeholderData: keepPreviousData,
	})
	const estimate = reading.data
	if (reading.isError && !estimate)
		return <MissingPart message="The recipients could not be counted." readings={[reading]} />
	if (!estimate)
		return (
			<Box component="p" c="dimmed">
				Counting...
			</Box>
		)
	const { recipients, moved, added } = estimate
	return (
		<Box component="p" c="dimmed" aria-live="polite">
			{plural(recipients, 'person', 'people')} will be in it.
			{moved > 0 && ` ${leaving(moved, recipients)} their present group, as a contact can be in only one.`}
			{added > 0 && ` ${formatCount(added)} ${added === 1 ? 'becomes a new contact' : 'become new contacts'}.`}
		</Box>
	)
}

function Created({ group, onClose }: { group: CreatedGroup; onClose: () => void }) {
	return (
		<div className="stack">
			<Notice tone="ok" role="status">
				<p>
					The group “<UserText text={group.name} />” is ready.{' '}
					<Anchor component={Link} to={groupContactsPath(group._id)} inherit underline="always">
						See its contacts
					</Anchor>
				</p>
			</Notice>
			<Group justify="flex-end">
				<Button variant="default" onClick={onClose} data-autofocus>
					Close
				</Button>
			</Group>
		</div>
	)
}

function leaving(moved: number, recipients: number): string {
	if (moved === recipients) return 'They leave'
	return moved === 1 ? 'One of them leaves' : `${formatCount(moved)} of them leave`
}
