import { Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { call } from '#lib/web/api.ts'
import { query } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'
import { auth, type OpenSession } from '../contract.ts'
import { useLeave } from './parts.tsx'

/** Lists the user's open sessions, with a button that ends all of them. */
export function SessionList() {
	const list = useQuery(query(auth.sessions))
	const [asked, { open, close }] = useDisclosure(false)
	const leave = useLeave()
	return (
		<Card
			title="Where you are signed in"
			hint="If you do not recognise a device, change your password."
			flush
			narrow
			actions={
				<Button variant="outline" color="red" onClick={open}>
					Sign out everywhere
				</Button>
			}
		>
			{list.error && !list.data ? (
				<LoadError message="Failed to fetch sessions" reading={list} />
			) : (
				<ul className="bare" aria-label="Sessions" aria-busy={list.isPending}>
					{list.data?.sessions.map((session) => (
						<Session key={`${session.createdAt} ${session.lastSeenAt}`} session={session} />
					))}
				</ul>
			)}
			<ConfirmDialog
				dialog={{ opened: asked, close }}
				title="Sign out everywhere"
				confirm="Sign out everywhere"
				busyText="Signing out..."
				danger
				onConfirm={async () => leave((await call(auth.logoutEverywhere)).message)}
				failed={(error) => toast.failure(error, 'Failed to sign out everywhere')}
			>
				This signs out every device, including this one. You can sign in again with your password.
			</ConfirmDialog>
		</Card>
	)
}

function Session({ session: { device, ip, lastSeenAt, isThis } }: { session: OpenSession }) {
	const Icon = /Android|iPhone|iPad/.test(device) ? IconDeviceMobile : IconDeviceDesktop
	return (
		<Group component="li" className="entry" gap={12} wrap="nowrap">
			<Icon className="secondary" size={22} stroke={1.6} aria-hidden />
			<Stack gap={2} miw={0}>
				<Group component="span" gap="2px 8px" fw={600}>
					{device} {isThis && <ToneBadge tone="ok" label="This device" />}
				</Group>
				<span className="quiet whole">
					{ip ?? 'Unknown address'} · Last seen: <DateTime iso={lastSeenAt} as="relative" />
				</span>
			</Stack>
		</Group>
	)
}
