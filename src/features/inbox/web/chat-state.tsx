import { Group } from '@mantine/core'
import { IconUser, IconUserQuestion } from '@tabler/icons-react'
import { useCurrentUser } from '#features/auth/web/parts.tsx'
import { inbox, type Assignee } from '#features/inbox/contract.ts'
import { call } from '#lib/web/api.ts'
import { chatToast } from '#lib/web/toast.tsx'
import { ActionButton } from '#lib/web/ui/form/action-button.tsx'
import { useDialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { AssignDialog } from './assign-dialog.tsx'
import styles from './chat-state.module.css'

const SMALL = { size: 'xs', px: 10, variant: 'default' } as const

/** State of a chat on screen. */
export interface ShownState {
	number: string
	assignee: Assignee
	isClosed: boolean
}

export interface ChatStateProps {
	chat: ShownState
	/** Fetches the chat again. */
	refresh: () => Promise<void>
}

/** Renders who has the chat, and the buttons that take, assign, close and reopen it. */
export function ChatState({ chat, refresh }: ChatStateProps) {
	const { number, assignee, isClosed } = chat
	const me = useCurrentUser()?._id ?? ''
	const dialog = useDialogFor<ShownState>()
	// Refreshes after a refusal too, because the chat has then changed.
	const act = (changing: Promise<unknown>) => changing.finally(() => void refresh())
	return (
		<Group className={styles.state} role="group" aria-label="State of the chat">
			{assignee ? <IconUser size={16} aria-hidden /> : <IconUserQuestion size={16} aria-hidden />}
			<span className="grow two-lines">
				{isClosed && <b>Closed. </b>}
				<Holder assignee={assignee} isMine={assignee?._id === me} />
			</span>
			{assignee?._id !== me && !isClosed && (
				<ActionButton
					{...SMALL}
					variant="filled"
					act={() => act(call(inbox.assign, { body: { number, to: me, from: assignee?._id ?? null } }))}
					failed={failed}
				>
					{assignee ? 'Take over' : 'Take'}
				</ActionButton>
			)}
			<ActionButton {...SMALL} act={async () => dialog.open(chat)} failed={failed}>
				{assignee ? 'Hand over' : 'Assign'}
			</ActionButton>
			<ActionButton
				{...SMALL}
				act={() => act(call(inbox.setClosed, { body: { number, isClosed: !isClosed } }))}
				failed={failed}
			>
				{isClosed ? 'Reopen' : 'Close'}
			</ActionButton>
			<AssignDialog dialog={dialog} chat={chat} me={me} refresh={refresh} />
		</Group>
	)
}

const failed = (error: unknown) => chatToast.failure(error, 'The chat could not be changed')

function Holder({ assignee, isMine }: { assignee: Assignee; isMine: boolean }) {
	if (!assignee) return 'Unassigned'
	return isMine ? 'You have this chat' : <UserText text={`${assignee.name} has this chat`} />
}
