import { ActionIcon, Tooltip } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { chatToast } from '#lib/web/toast.tsx'
import { chatError } from '../chat-error.ts'
import { syncLists, syncMessages } from '../chat-queries.ts'

const FAILED = 'Error syncing messages'

/** Refetches chats and messages. Rarely needed, as live updates keep them current. */
export function SyncButton({ selected }: { selected: string | null }) {
	const sync = useMutation({
		networkMode: 'always',
		mutationFn: async () => {
			await syncLists()
			chatToast.success('Contacts refreshed successfully')
			await syncMessages(selected)
			chatToast.success('All messages synced successfully')
		},
		onError: (error) => chatToast.error(chatError(error, FAILED, FAILED)),
	})
	return (
		<Tooltip label="Sync messages">
			<ActionIcon
				color="gray"
				aria-label="Sync messages"
				aria-busy={sync.isPending}
				disabled={sync.isPending}
				onClick={() => sync.mutate()}
			>
				<IconRefresh className="turns" size={20} aria-hidden />
			</ActionIcon>
		</Tooltip>
	)
}
