import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { LinksBody, MAX_LINKS_REASON_LENGTH, users, type StoppedLinks, type UserRow } from '#features/users/contract.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { limited } from '#lib/web/limited.ts'
import { toast } from '#lib/web/toast.tsx'
import { ActionButton } from '#lib/web/ui/form/action-button.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { GuardedForm } from '#lib/web/ui/form/guarded-form.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { updateRow } from './user-rows.ts'
import styles from './user-details-dialog.module.css'

/** Renders whether the account's counted links work, and lets an admin stop them with a reason, or resume them. */
export function LinksSwitch({ user: { _id, linksStopped } }: { user: UserRow }) {
	const [stopped, setStopped] = useState(linksStopped)
	const [isAsking, setAsking] = useState(false)
	const changed = (now: StoppedLinks) => {
		updateRow(_id, { linksStopped: now })
		setStopped(now)
		setAsking(false)
	}
	if (isAsking) return <StopForm userId={_id} onStopped={changed} onCancel={() => setAsking(false)} />
	if (!stopped)
		return (
			<>
				Work{' '}
				<Button size="xs" variant="outline" color="red" onClick={() => setAsking(true)}>
					Stop links
				</Button>
			</>
		)
	const resume = async () => {
		const answer = await call(users.setLinks, { params: { id: _id }, body: { isStopped: false } })
		changed(answer.linksStopped)
		toast.success(answer.message)
	}
	return (
		<div className={styles.stopped}>
			<span>
				Stopped since <DateTime iso={stopped.since} />: <UserText text={stopped.reason} />
			</span>
			<ActionButton
				size="xs"
				variant="outline"
				act={resume}
				failed={(error) => toast.failure(error, 'Failed to resume the links')}
			>
				Resume links
			</ActionButton>
		</div>
	)
}

/** Focuses the field that replaces the pressed button. */
const focus = (field: HTMLTextAreaElement | null) => field?.focus()

interface StopFormProps {
	userId: string
	onStopped: (now: StoppedLinks) => void
	onCancel: () => void
}

function StopForm({ userId, onStopped, onCancel }: StopFormProps) {
	const state = useSchemaForm({
		schema: LinksBody,
		initialValues: { isStopped: true, reason: '' },
		submit: (body) => call(users.setLinks, { params: { id: userId }, body }),
		saved: async (answer) => {
			onStopped(answer.linksStopped)
			toast.success(answer.message)
		},
		failed: (error) => toast.failure(error, 'Failed to stop the links'),
	})
	return (
		<GuardedForm state={state} label="Stop links">
			<Textarea
				label="Reason"
				description="People who follow a link of this account see a plain page. The user is notified of this reason."
				autosize
				maxRows={4}
				required
				ref={focus}
				{...limited(MAX_LINKS_REASON_LENGTH, state.form.getInputProps('reason'))}
			/>
			<FormButtons color="red" busyText="Stopping..." onCancel={onCancel}>
				Stop links
			</FormButtons>
		</GuardedForm>
	)
}
