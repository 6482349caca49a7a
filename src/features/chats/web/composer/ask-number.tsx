import { Button, Group } from '@mantine/core'
import { IconAddressBook } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { chats, type ChatMessage } from '#features/chats/contract.ts'
import { newRequestId } from '#lib/request-id.ts'
import { call } from '#lib/web/api.ts'
import { chatToast } from '#lib/web/toast.tsx'
import { showSent } from '../chat-queries.ts'
import { report } from '../outbox.ts'
import styles from './composer.module.css'

interface AskNumberProps {
	/** WhatsApp user id of the customer. */
	number: string
	messages: readonly ChatMessage[]
}

/** Renders the button that asks a customer who hides the number for it. */
export function AskNumber({ number, messages }: AskNumberProps) {
	const asking = useMutation({
		mutationFn: () => call(chats.askNumber, { body: { number, requestId: newRequestId() } }),
		onSuccess({ newMessage }) {
			showSent(number, newMessage)
			report(number, newMessage)
		},
		onError: (error) => chatToast.failure(error, 'Failed to ask for the number'),
	})
	const isAsked = messages.some(({ kind, status }) => kind === 'contact_request' && status !== 'failed')
	return (
		<Group className={styles.ask} gap="4px 12px" justify="space-between">
			<p className="small secondary">
				{isAsked ? 'You have asked for their number.' : 'This person hides their phone number.'}
			</p>
			<Button
				variant="light"
				size="compact-md"
				leftSection={<IconAddressBook size={16} aria-hidden />}
				loading={asking.isPending}
				onClick={() => asking.mutate()}
			>
				{isAsked ? 'Ask again' : 'Ask for the number'}
			</Button>
		</Group>
	)
}
