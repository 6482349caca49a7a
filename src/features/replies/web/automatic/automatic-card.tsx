import { Anchor, Button, Skeleton, Stack, Switch } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { replies, type AutomaticReply, type AutomaticSettings } from '#features/replies/contract.ts'
import { hoursInWords } from '#features/replies/hours-words.ts'
import { indianDay } from '#lib/dates.ts'
import { formatCount } from '#lib/numbers.ts'
import { call } from '#lib/web/api.ts'
import { invalidate, query } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { useDialogFor, type DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import type { Column } from '#lib/web/ui/table/column.ts'
import { DataRows } from '#lib/web/ui/table/data-rows.tsx'
import { actionsColumn } from '#lib/web/ui/table/row/row-actions.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import { useNow } from '#lib/web/ui/value/use-now.ts'
import { useAction } from '#lib/web/use-action.ts'
import { AutomaticDialog, type Edited } from './automatic-dialog.tsx'
import { HoursDialog } from './hours-dialog.tsx'

/** Renders the automatic replies of the account in a card, with their switch and the business hours. */
export function AutomaticRepliesCard() {
	const reading = useQuery(query(replies.automatic))
	const dialog = useDialogFor<Edited>()
	const remove = useDialogFor<AutomaticReply>()
	const rows = reading.data?.replies ?? []
	const edit = (reply: AutomaticReply | null) => dialog.open({ reply, known: rows })
	return (
		<>
			<Card
				flush
				title="Automatic replies"
				hint="Sent for you as soon as a customer writes. A customer gets at most three a day. Each costs as much as a reply that you type. People who opted out get none."
				actions={
					reading.data && (
						<Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => edit(null)}>
							Add automatic reply
						</Button>
					)
				}
			>
				<MissingPart message="The automatic replies could not be loaded." readings={[reading]} />
				{reading.isPending && <Skeleton height={76} mx="var(--app-gutter)" mb={16} w="auto" />}
				{reading.data && <Settings settings={reading.data.settings} />}
				{rows.length > 0 && (
					<DataRows
						label="Automatic replies"
						rows={rows}
						rowKey={({ _id }) => _id}
						columns={columnsOf(edit, remove.open)}
					/>
				)}
			</Card>
			<AutomaticDialog dialog={dialog} />
			<RemoveDialog dialog={remove} />
		</>
	)
}

function Settings({ settings }: { settings: AutomaticSettings }) {
	const { busy, run } = useAction()
	const hours = useDialogFor<AutomaticSettings>()
	const today = indianDay(useNow())
	const change = (isOn: boolean) =>
		run(
			async () => {
				await call(replies.saveAutomatic, { body: { isOn } })
				await invalidate(replies.automatic)
				briefToast.success(isOn ? 'Automatic replies are on' : 'Automatic replies are off')
			},
			(error) => briefToast.failure(error, 'Failed to save the settings'),
		)
	return (
		<Stack px="var(--app-gutter)" pt={4} pb={16} gap={12}>
			<Switch
				label="Send automatic replies"
				checked={settings.isOn}
				disabled={busy}
				onChange={({ currentTarget }) => change(currentTarget.checked)}
			/>
			<p>
				{settings.hours && <>Business hours: {hoursInWords(settings.hours, today)}. </>}
				<Anchor component="button" type="button" inherit underline="always" onClick={() => hours.open(settings)}>
					{settings.hours ? 'Change business hours' : 'Set business hours'}
				</Anchor>
				{!settings.hours && ' to send an away message.'}
			</p>
			<HoursDialog dialog={hours} />
		</Stack>
	)
}

const OCCASIONS = { greeting: 'First message of a customer', away: 'Outside business hours' } as const

/** Returns the occasion of an automatic reply in words: its name in the list. */
function occasionOf({ kind, phrases }: AutomaticReply): string {
	return kind === 'keyword' ? phrases.join(', ') : OCCASIONS[kind]
}

function columnsOf(
	onEdit: (reply: AutomaticReply) => void,
	onDelete: (reply: AutomaticReply) => void,
): Column<AutomaticReply>[] {
	return [
		{
			header: 'When',
			cell: (reply) => (
				<b>
					<TwoLines text={occasionOf(reply)} />
				</b>
			),
			width: '26%',
			narrow: 'title',
		},
		{ header: 'Text', cell: ({ text }) => <TwoLines text={text} />, isProse: true, narrow: 'under' },
		{
			header: 'This month',
			cell: ({ sent, monthlyLimit }) => (
				<span className={sent < monthlyLimit ? 'figures' : 'figures faulty'}>
					{formatCount(sent)} of {formatCount(monthlyLimit)}
				</span>
			),
			align: 'right',
			width: '18%',
		},
		actionsColumn({
			nameOf: occasionOf,
			actionsOf: (reply) => [
				{ word: 'Edit', label: `Edit ${occasionOf(reply)}`, Icon: IconPencil, onClick: () => onEdit(reply) },
				{
					word: 'Delete',
					label: `Delete ${occasionOf(reply)}`,
					Icon: IconTrash,
					danger: true,
					onClick: () => onDelete(reply),
				},
			],
		}),
	]
}

function RemoveDialog({ dialog }: { dialog: DialogFor<AutomaticReply> }) {
	const { subject: reply, close } = dialog
	const remove = async () => {
		if (!reply) return
		const { message } = await call(replies.removeAutomatic, { params: { id: reply._id } })
		briefToast.success(message)
		close()
		await invalidate(replies.automatic)
	}
	return (
		<ConfirmDialog
			dialog={dialog}
			title="Delete automatic reply?"
			confirm="Delete"
			busyText="Deleting..."
			danger
			onConfirm={remove}
			failed={(error) => briefToast.failure(error, 'Failed to delete the automatic reply')}
		>
			It will no longer be sent. Messages already sent stay in their chats.
		</ConfirmDialog>
	)
}
