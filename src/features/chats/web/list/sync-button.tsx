import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { chatToast } from '#lib/web/toast.tsx'
import { useAction } from '#lib/web/use-action.ts'
import { chatError } from '../chat-error.ts'
import { syncLists, syncMessages } from '../chat-queries.ts'
import styles from './list.module.css'

const FAILED = 'Error syncing messages'

/** Renders the button that refetches chats and messages. Rarely needed, because live updates keep them current. */
export function SyncButton({ selected }: { selected: string | null }) {
	const { busy, run } = useAction()
	const sync = async () => {
		await syncLists()
		chatToast.success('Contacts refreshed successfully')
		await syncMessages(selected)
		chatToast.success('All messages synced successfully')
	}
	return (
		<Button
			variant="subtle"
			color="gray"
			px={6}
			leftSection={<IconRefresh className="turns" size={20} aria-hidden />}
			title="Sync messages"
			aria-label="Sync messages"
			aria-busy={busy}
			disabled={busy}
			onClick={() => run(sync, (error) => chatToast.error(chatError(error, FAILED, FAILED)))}
		>
			<span className={styles.word}>Sync</span>
		</Button>
	)
}
