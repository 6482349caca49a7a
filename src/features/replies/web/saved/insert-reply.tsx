import { ActionIcon, Anchor, Group, TextInput } from '@mantine/core'
import { IconPaperclip, IconSearch, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useCurrentUser, useMay } from '#features/auth/web/parts.tsx'
import { replies, type SavedReply } from '#features/replies/contract.ts'
import { fillVariables, findReplies, variablesOf, type ReplyVariable } from '#features/replies/rules.ts'
import { settingsPath } from '#features/users/paths.ts'
import { plural } from '#lib/numbers.ts'
import { call, messageOf } from '#lib/web/api.ts'
import { query } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { chatToast } from '#lib/web/toast.tsx'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { useSearchOptions, type SearchOptions } from '#lib/web/ui/state/use-search-options.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { useAction } from '#lib/web/use-action.ts'
import { CompleteReply } from './complete-reply.tsx'
import styles from './insert-reply.module.css'

/** A saved reply with its variables filled in. */
export interface FilledReply {
	text: string
	file: File | null
}

export interface InsertReplyProps {
	/** Empty when the customer's name is unknown. */
	customerName: string
	/** Called when the list closes without a reply, with the text of its search. */
	onClose: (search: string) => void
	onInsert: (reply: FilledReply) => void
}

/** Renders the list of saved replies above a composer. It inserts the chosen one and sends nothing. */
export function InsertReply({ customerName, onClose, onInsert }: InsertReplyProps) {
	const [completed, setCompleted] = useState<SavedReply | null>(null)
	const { busy, run } = useAction()
	const isShown = useRef(true)
	useEffect(() => {
		isShown.current = true
		return () => void (isShown.current = false)
	}, [])
	const known = { customerName, myName: useCurrentUser()?.name ?? '' }
	const missing = completed ? missingIn(completed, known) : []
	const insert = async (reply: SavedReply, values: Partial<Record<ReplyVariable, string>>) => {
		const file = reply.file ? await call(replies.savedFile, { params: { id: reply._id } }) : null
		if (isShown.current) onInsert({ text: fillVariables(reply.text, values), file })
	}
	const choose = (reply: SavedReply) => {
		if (missingIn(reply, known).length > 0) return setCompleted(reply)
		run(() => insert(reply, known), failed)
	}
	if (!completed) return <ReplyList busy={busy} onChoose={choose} onClose={onClose} />
	return (
		<CompleteReply
			reply={completed}
			known={known}
			missing={missing}
			onClose={() => onClose('')}
			onDone={(values) => insert(completed, values).catch(failed)}
		/>
	)
}

const failed = (error: unknown) => chatToast.error(messageOf(error, 'The file of this reply could not be loaded'))

function missingIn({ text }: SavedReply, known: Partial<Record<ReplyVariable, string>>): ReplyVariable[] {
	return variablesOf(text).filter((name) => !known[name])
}

interface ReplyListProps {
	/** True while the file of a chosen reply loads. */
	busy: boolean
	onChoose: (reply: SavedReply) => void
	onClose: (search: string) => void
}

function ReplyList({ busy, onChoose, onClose }: ReplyListProps) {
	const [search, setSearch] = useState('')
	const reading = useQuery(query(replies.saved))
	const field = useRef<HTMLInputElement>(null)
	useEffect(() => field.current?.focus(), [])
	const found = findReplies(reading.data?.replies ?? [], search)
	const options = useSearchOptions(found, onChoose)
	const onKeyDown = (event: KeyboardEvent) => {
		if (event.key !== 'Escape' || event.nativeEvent.isComposing) return options.field.onKeyDown(event)
		onClose(search)
		event.preventDefault()
	}
	return (
		<section className={styles.popup} aria-label="Saved replies" aria-busy={busy}>
			<Group gap={4} wrap="nowrap" p={8}>
				<TextInput
					ref={field}
					className="grow"
					aria-label="Search saved replies"
					placeholder="Search saved replies"
					leftSection={<IconSearch size={16} aria-hidden />}
					value={search}
					onChange={(event) => {
						setSearch(event.currentTarget.value)
						options.restart()
					}}
					{...options.field}
					onKeyDown={onKeyDown}
				/>
				<ActionIcon color="gray" size={36} aria-label="Close saved replies" onClick={() => onClose(search)}>
					<IconX size={18} aria-hidden />
				</ActionIcon>
			</Group>
			<Options found={found} options={options} />
			<Group className={styles.foot} gap="4px 12px" justify="space-between">
				<span role="status">
					{reading.isPending
						? 'Loading...'
						: reading.data && statusOf(reading.data.replies.length, found.length, search)}
				</span>
				<MissingPart message="The saved replies could not be loaded." readings={[reading]} />
				<ManageLink />
			</Group>
		</section>
	)
}

/** Renders the link to the settings, where managers change saved replies; nothing for agents. */
function ManageLink() {
	const mayChange = useMay(replies.changeSaved.access)
	return (
		mayChange && (
			<Anchor component={Link} to={settingsPath('replies')} inherit underline="always">
				Manage saved replies
			</Anchor>
		)
	)
}

function statusOf(all: number, found: number, search: string): string {
	if (all === 0) return 'No saved replies yet.'
	if (found === 0) return `Nothing found for “${search.trim()}”. Escape closes the list.`
	return plural(found, 'saved reply', 'saved replies')
}

interface OptionsProps {
	found: readonly SavedReply[]
	options: SearchOptions<SavedReply>
}

function Options({ found, options }: OptionsProps) {
	if (found.length === 0) return null
	return (
		<div className={styles.list} aria-label="Saved replies" {...options.list}>
			{found.map((reply) => (
				<button key={reply._id} {...options.option(reply, styles.option)}>
					<b className="one-line">
						/<UserText text={reply.shortcut} />
					</b>
					<UserText className="one-line" text={reply.text || (reply.file?.name ?? '')} />
					{reply.file && <IconPaperclip size={16} aria-label="With a file" role="img" />}
				</button>
			))}
		</div>
	)
}
