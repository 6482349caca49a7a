import { Box, Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { auth, RemoveSecondFactorBody } from '#features/auth/contract.ts'
import { call } from '#lib/web/api.ts'
import { invalidate, query } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'
import { CurrentPassword, FactorForm } from './factor-form.tsx'
import { SetUpSecondFactor } from './set-up-second-factor.tsx'

/** Renders whether sign-in asks for a code of an app, with the buttons to set the second factor up and remove it. */
export function SecondFactorCard() {
	const state = useQuery(query(auth.secondFactor))
	const [isOpen, setOpen] = useState(false)
	const close = () => {
		setOpen(false)
		void invalidate(auth.secondFactor, auth.sessions, auth.activity)
	}
	const isOn = state.data?.isOn ?? false
	return (
		<Card
			title="Two-step login"
			hint="Enter a code from an app on your phone as well as your password when you sign in."
			narrow
			actions={
				state.data &&
				!isOpen && (
					<Button variant="outline" color={isOn ? 'red' : undefined} onClick={() => setOpen(true)}>
						{isOn ? 'Remove' : 'Set up'}
					</Button>
				)
			}
		>
			<Box pt={4}>
				{state.error && !state.data && <LoadError message="Failed to fetch two-step login" reading={state} />}
				{state.data && !isOpen && (
					<p>
						<ToneBadge tone={isOn ? 'ok' : 'neutral'} label={isOn ? 'On' : 'Off'} />{' '}
						{isOn && `${state.data.recoveryCodesLeft} of 10 recovery codes left`}
					</p>
				)}
				{isOpen && (isOn ? <Remove onClose={close} /> : <SetUpSecondFactor onDone={close} onCancel={close} />)}
			</Box>
		</Card>
	)
}

function Remove({ onClose }: { onClose: () => void }) {
	return (
		<FactorForm
			schema={RemoveSecondFactorBody}
			initialValues={{ currentPassword: '', code: '' }}
			submit={async (body) => {
				const { message } = await call(auth.removeSecondFactor, { body })
				toast.success(message)
				onClose()
			}}
			word="Remove two-step login"
			danger
			onCancel={onClose}
		>
			{(propsOf) => (
				<>
					<CurrentPassword {...propsOf('currentPassword')} />
					<TextInput
						label="Code"
						description="From your app, or a recovery code"
						autoComplete="one-time-code"
						required
						{...propsOf('code')}
					/>
				</>
			)}
		</FactorForm>
	)
}
