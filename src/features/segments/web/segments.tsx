import { Button, Menu, Skeleton } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { IconChevronDown, IconFilter, IconPencil, IconPlus, IconSpeakerphone, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { segments, type SegmentRow, type Rule, type SegmentRules } from '#features/audiences/segment-contract.ts'
import { countOf } from '#features/audiences/web/count-of.ts'
import { segmentCampaignPath } from '#features/campaigns/paths.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import { call, messageOf } from '#lib/web/api.ts'
import { invalidate, query } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { briefToast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { useDialogFor, type DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import type { Column } from '#lib/web/ui/table/column.ts'
import { DataRows } from '#lib/web/ui/table/data-rows.tsx'
import { actionsColumn } from '#lib/web/ui/table/row/row-actions.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { blankRule, formOf } from './rule-inputs.tsx'
import { namesIn, useRuleReadings, type RuleNames } from './rule-names.ts'
import { SegmentDialog, type EditedSegment } from './segment-dialog.tsx'
import { useThrottledSegment } from './use-throttled-segment.ts'

/** Examples of segments to start from. */
const EXAMPLES: { name: string; rules: Rule[] }[] = [
	{ name: 'New this month', rules: [{ kind: 'added', is: true, days: 30 }] },
	{ name: 'Never messaged', rules: [{ kind: 'neverWritten', is: true }] },
	{
		name: 'Readers of the last 30 days',
		rules: [
			{ kind: 'read', is: true, days: 30 },
			{ kind: 'optedOut', is: false },
		],
	},
	{
		name: 'No reply for a while',
		rules: [
			{ kind: 'received', is: true, days: 90 },
			{ kind: 'read', is: false, days: 90 },
		],
	},
	{ name: 'Replied lately', rules: [{ kind: 'replied', is: true, days: 30 }] },
	{ name: 'Clicked lately', rules: [{ kind: 'clicked', is: true, days: 30 }] },
	{ name: 'Sent, but did not click', rules: [{ kind: 'didNotClick', campaign: '' }] },
]

export function Segments() {
	const reading = useQuery(query(segments.list))
	const parts = useRuleReadings()
	const names = namesIn(parts)
	const readings = Object.values(parts)
	const edit = useDialogFor<EditedSegment>()
	const remove = useDialogFor<SegmentRow>()
	const throttled = useThrottledSegment(edit.open)
	const [saved, setSaved] = useState<{ message: string; segment: SegmentRow } | null>(null)
	// Waits until all names are loaded, because a rule whose tag, field, group or campaign has no name is shown as deleted.
	const rows = readings.every(({ data }) => data) ? reading.data?.segments : undefined
	const isLoading = !rows && ![reading, ...readings].some(({ isError }) => isError)
	const add = () => edit.open({ name: '', match: 'all', rules: [blankRule(names)] })
	return (
		<>
			<PageHeader
				title="Segments"
				hint="Lists that update themselves, such as customers in Pune with bills over ₹5,000."
				actions={
					<>
						<Examples onChoose={edit.open} />
						<Button leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
							Add New Segment
						</Button>
					</>
				}
			/>
			<div className="stack">
				{saved && <Saved {...saved} />}
				<MissingPart message="The segments could not be loaded." readings={[reading]} />
				<MissingPart message="The names in the rules could not be loaded." readings={readings} />
				<MissingPart message="The campaign could not be loaded." readings={[throttled]} />
				{isLoading && <Skeleton height={280} radius="lg" role="status" aria-label="Loading the segments" />}
				{rows?.length === 0 && (
					<EmptyState
						title="No segments yet"
						hint="Start from one of the examples above, or make your own."
						icon={<IconFilter size={32} stroke={1.5} aria-hidden />}
						action={null}
					/>
				)}
				{rows && rows.length > 0 && (
					<Card flush>
						<DataRows
							label="Segments"
							rows={rows}
							rowKey={({ _id }) => _id}
							columns={columnsOf({ names, onEdit: edit.open, onDelete: remove.open })}
						/>
					</Card>
				)}
			</div>
			<SegmentDialog dialog={edit} onSaved={setSaved} />
			<DeleteSegment dialog={remove} />
		</>
	)
}

/** Confirms a saved segment, and links to a campaign to its contacts. */
function Saved({ message, segment }: { message: string; segment: SegmentRow }) {
	return (
		<Notice tone="ok" role="status" title={message}>
			<p>
				<UserText text={segment.name} />: <ContactCount rules={segment} />
			</p>
			<Button
				component={Link}
				to={segmentCampaignPath(segment._id)}
				mt={8}
				leftSection={<IconSpeakerphone size={16} aria-hidden />}
			>
				Send a campaign
			</Button>
		</Notice>
	)
}

function Examples({ onChoose }: { onChoose: (segment: EditedSegment) => void }) {
	return (
		<Menu>
			<Menu.Target>
				<Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
					Examples
				</Button>
			</Menu.Target>
			<Menu.Dropdown>
				{EXAMPLES.map(({ name, rules }) => (
					<Menu.Item key={name} onClick={() => onChoose({ name, match: 'all', rules })}>
						{name}
					</Menu.Item>
				))}
			</Menu.Dropdown>
		</Menu>
	)
}

interface SegmentActions {
	names: RuleNames
	onEdit: (segment: SegmentRow) => void
	onDelete: (segment: SegmentRow) => void
}

function columnsOf({ names, onEdit, onDelete }: SegmentActions): Column<SegmentRow>[] {
	return [
		{ header: 'Name', cell: ({ name }) => <TwoLines text={name} />, width: '26%', narrow: 'title' },
		{
			header: 'Contacts',
			cell: (segment) => <ContactCount rules={segment} hasUnit={false} />,
			align: 'right',
			width: '10%',
		},
		{
			header: 'Rules',
			cell: (segment) => <UserText text={rulesInWords(segment, names)} />,
			isProse: true,
			minWidth: 240,
		},
		{
			header: '',
			cell: ({ _id, name }) => (
				<Button
					component={Link}
					to={segmentCampaignPath(_id)}
					variant="default"
					size="compact-md"
					aria-label={`Send a campaign to ${name}`}
				>
					Send a campaign
				</Button>
			),
			align: 'right',
			width: '1px',
			minWidth: 172,
			narrow: 'actions',
		},
		actionsColumn({
			nameOf: ({ name }) => name,
			actionsOf: (segment) => [
				{ word: 'Edit', label: `Edit ${segment.name}`, Icon: IconPencil, onClick: () => onEdit(segment) },
				{
					word: 'Delete',
					label: `Delete ${segment.name}`,
					Icon: IconTrash,
					danger: true,
					onClick: () => onDelete(segment),
				},
			],
		}),
	]
}

/** Shows the number of contacts of a segment. It is counted only while in view: an account may have 200 segments. */
function ContactCount({ rules, hasUnit = true }: { rules: SegmentRules; hasUnit?: boolean }) {
	const { ref, inViewport } = useInViewport()
	const { data, error } = useQuery({ ...countOf(rules), enabled: inViewport })
	const words = data && (hasUnit ? plural(data.contacts, 'contact') : formatCount(data.contacts))
	return <span ref={ref}>{error ? messageOf(error, 'Not counted') : (words ?? 'Counting...')}</span>
}

function rulesInWords({ match, rules }: SegmentRow, names: RuleNames): string {
	const words = rules.map((rule, at) => {
		const said = formOf(rule).words(rule, names)
		// A rule about a field begins with the field's name, as the account writes it.
		return at === 0 || rule.kind === 'field' ? said : said.charAt(0).toLowerCase() + said.slice(1)
	})
	return words.join(match === 'all' ? ', and ' : ', or ')
}

function DeleteSegment({ dialog }: { dialog: DialogFor<SegmentRow> }) {
	const { subject: segment, close } = dialog
	const remove = async () => {
		if (!segment) return
		const { message } = await call(segments.remove, { params: { id: segment._id } })
		briefToast.success(message)
		close()
		await invalidate(segments.list)
	}
	return (
		<ConfirmDialog
			dialog={dialog}
			title="Delete segment?"
			confirm="Delete"
			busyText="Deleting..."
			danger
			onConfirm={remove}
			failed={(error) => briefToast.failure(error, 'Failed to delete segment')}
		>
			{segment && (
				<>
					<strong>
						<UserText text={segment.name} />
					</strong>{' '}
					will be deleted. Its contacts stay, and existing campaigns keep their recipients.
				</>
			)}
		</ConfirmDialog>
	)
}
