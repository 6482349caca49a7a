import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { call } from '#lib/web/api.ts'
import { invalidate, query } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { developer } from '../contract.ts'
import { webhooks } from '../webhook-contract.ts'

/** Renders the button that ends all keys and webhooks of the account; nothing for an account without any. */
export function RevokeAll() {
	const keys = useQuery(query(developer.keys)).data?.keys.length ?? 0
	const addresses = useQuery(query(webhooks.addresses)).data?.addresses.length ?? 0
	const [opened, { open, close }] = useDisclosure(false)
	const revoke = async () => {
		const { message } = await call(developer.revokeAll)
		toast.success(message)
		close()
		await invalidate(developer.keys, webhooks.addresses)
	}
	if (keys + addresses === 0) return null
	return (
		<>
			<Card
				title="A key or webhook that you do not know?"
				hint="Revoke all of them at once. Then change your password and give your systems new keys."
			>
				<Button variant="outline" color="red" onClick={open}>
					Revoke everything
				</Button>
			</Card>
			<ConfirmDialog
				dialog={{ opened, close }}
				title="Revoke everything?"
				confirm="Revoke everything"
				busyText="Revoking..."
				danger
				onConfirm={revoke}
				failed={(error) => toast.failure(error, 'Failed to revoke the API keys and webhooks')}
			>
				All API keys stop working at once. All webhooks are deleted, with the events that wait for them. This cannot be
				undone.
			</ConfirmDialog>
		</>
	)
}
