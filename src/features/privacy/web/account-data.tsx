import { useCurrentUser } from '#features/auth/web/parts.tsx'
import { call } from '#lib/web/api.ts'
import { toast } from '#lib/web/toast.tsx'
import { DownloadButton } from '#lib/web/ui/form/action-button.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { privacy } from '../contract.ts'

/**
 * Renders the card that downloads all data of the user's own account; nothing for admins, whose accounts hold no
 * customers.
 */
export function AccountData() {
	const user = useCurrentUser()
	if (user?.role !== 'user') return null
	return (
		<Card
			narrow
			title="Your data"
			hint="Contacts, groups, templates, campaigns with their recipients, chats with photos and files, opt-outs, statement and settings, in one zip file. With many photos it takes some minutes: stay on this page."
		>
			<DownloadButton
				busyText="Downloading..."
				read={() => call(privacy.account, { params: { userId: user._id } })}
				failed={(error) => toast.failure(error, 'Failed to download the data')}
			>
				Download everything
			</DownloadButton>
		</Card>
	)
}
