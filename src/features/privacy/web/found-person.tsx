import { Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { formatDay } from '#lib/dates.ts'
import { mayBeNumber } from '#lib/phone/phone-text.ts'
import { isUserId } from '#lib/phone/phone.ts'
import { call, type ResponseOf } from '#lib/web/api.ts'
import { invalidate, query, queryClient } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { DownloadButton } from '#lib/web/ui/form/action-button.tsx'
import { PhoneToCopy } from '#lib/web/ui/value/phone-to-copy.tsx'
import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { privacy } from '../contract.ts'
import { wordsFor } from './held-words.ts'

/** Renders the account's data about a number, and the actions on it. */
export function FoundPerson({ typed }: { typed: string }) {
	if (isUserId(typed) || mayBeNumber(typed)) return <Found typed={typed} />
	return (
		<Notice tone="error" role="alert">
			Invalid phone number format
		</Notice>
	)
}

function Found({ typed }: { typed: string }) {
	const found = useQuery(query(privacy.person, { query: { number: typed } }))
	const [isAsking, asking] = useDisclosure(false)
	if (found.error && !found.data) return <LoadError message={found.error.message} reading={found} />
	if (!found.data) return <p aria-busy="true">Looking...</p>
	const { number, name, counts, isOptedOut, isErased } = found.data
	const words = wordsFor(counts)
	// The plus is required: ten digits without it could be read as an Indian number.
	const key = isUserId(number) ? number : `+${number}`
	const person = { query: { number: key } }
	const download = async () => {
		const file = await call(privacy.download, person)
		await invalidate(privacy.requests)
		return file
	}
	const erase = async () => {
		const { message } = await call(privacy.erase, { body: { number: key } })
		briefToast.success(message)
		asking.close()
		// Any screen may show the person.
		await queryClient.invalidateQueries()
	}
	return (
		<Stack gap={12} mt={16} role="status">
			<Group gap="4px 12px" align="baseline">
				<b>{name === null ? 'Not in contacts' : <UserText text={name} />}</b>
				{isUserId(number) ? <span>Number hidden by WhatsApp</span> : <PhoneToCopy number={number} />}
				{isOptedOut && <ToneBadge tone="warn" label="Opted out" />}
				{isErased && <ToneBadge tone="neutral" label="Erased before" />}
			</Group>
			<p>{words === '' ? 'You have no data about this person.' : `Found: ${words}.`}</p>
			<GivenConsent {...found.data} />
			{words !== '' && (
				<Group gap={8}>
					<DownloadButton
						busyText="Downloading..."
						read={download}
						failed={(error) => briefToast.failure(error, 'Failed to download')}
					>
						Download data
					</DownloadButton>
					<Button variant="outline" color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={asking.open}>
						Erase this person
					</Button>
				</Group>
			)}
			<ConfirmDialog
				dialog={{ opened: isAsking, close: asking.close }}
				title="Erase this person?"
				confirm="Erase"
				busyText="Erasing..."
				danger
				onConfirm={erase}
				failed={(error) => briefToast.failure(error, 'Failed to erase')}
			>
				<ErasureEffects />
			</ConfirmDialog>
		</Stack>
	)
}

/** Renders the lists of the data that an erasure deletes and of the data that it retains. */
function ErasureEffects() {
	return (
		<Stack gap={8}>
			<p>
				<b>We delete:</b> the contact, the chat with its photos and files, and their name and number everywhere else.
				Messages waiting to be sent to them are cancelled and cost nothing.
			</p>
			<p>
				<b>We keep:</b> that a message was sent and what it cost, without name or number. They get no marketing from you
				again, even if you upload their number once more.
			</p>
			<p>
				Messages that they send in the next three minutes are deleted too. Download their data first if they asked for
				it: this cannot be undone.
			</p>
		</Stack>
	)
}

function GivenConsent({ consent, isOptedOut }: Pick<ResponseOf<typeof privacy.person>, 'consent' | 'isOptedOut'>) {
	return (
		consent && (
			<p>
				Agreed on {formatDay(consent.agreedOn)}: {consent.source}. “<UserText text={consent.words} />”
				{isOptedOut && ' Ended when they opted out.'}
			</p>
		)
	)
}
