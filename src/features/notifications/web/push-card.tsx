import { Button, Stack, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { useAction } from '#lib/web/use-action.ts'
import { notifications } from '../contract.ts'
import { NotAllowed, type PushSupport, pushSupport, switchOffPushes, switchOnPushes } from './push.ts'

const OBSTACLES: Record<Exclude<PushSupport, 'ready'>, string> = {
	blocked: 'Notifications are blocked. Click the icon beside the web address and allow them. Then reload the page.',
	install:
		'On an iPhone or iPad, add this app to the home screen first: Share, then Add to Home Screen. Open it from there, and turn notifications on.',
	missing: 'This browser cannot show notifications.',
}

/** Renders the card that enables notifications on this device and sets whether they name senders and texts. */
export function PushCard() {
	const [support, setSupport] = useState(pushSupport)
	const state = useQuery(query(notifications.device))
	const { busy, run } = useAction()
	const device = state.data?.device
	const change = (act: () => Promise<string>) =>
		run(
			async () => toast.success(await act()),
			(error) => {
				setSupport(pushSupport())
				if (error instanceof NotAllowed) toast.error('Notifications were not allowed')
				else toast.failure(error, 'Notifications could not be changed')
			},
		)
	return (
		<Card
			title="Notifications on this device"
			hint="Get alerts for new messages, and for campaigns that finished or stopped, while the app is closed."
			narrow
			actions={
				support === 'ready' &&
				state.data && (
					<Button
						variant="outline"
						color={device ? 'red' : undefined}
						loading={busy}
						onClick={() => change(device ? switchOffPushes : () => switchOnPushes({ withTexts: false }))}
					>
						{device ? 'Turn off' : 'Turn on'}
					</Button>
				)
			}
		>
			<Stack pt={4} gap={12}>
				{state.error && !state.data && <LoadError message="Failed to fetch this device" reading={state} />}
				{support !== 'ready' && <p>{OBSTACLES[support]}</p>}
				{support === 'ready' && device && (
					<Switch
						label="Show names and messages"
						description="Shows the sender and the text of a message, also on the locked screen."
						checked={device.withTexts}
						disabled={busy}
						onChange={({ currentTarget }) => {
							const withTexts = currentTarget.checked
							change(() => switchOnPushes({ withTexts }))
						}}
					/>
				)}
			</Stack>
		</Card>
	)
}
