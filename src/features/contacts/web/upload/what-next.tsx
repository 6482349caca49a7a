import { Button, Group, Stack } from '@mantine/core'
import { IconSpeakerphone, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { groupCampaignPath } from '#features/campaigns/paths.ts'
import { contacts } from '#features/contacts/contract.ts'
import { contactPaths, groupContactsPath } from '#features/contacts/paths.ts'
import { CHUNK_ROWS } from '#features/contacts/rules.ts'
import { call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { ActionButton } from '#lib/web/ui/form/action-button.tsx'
import { createGroup, useNewName } from '../new-group.ts'
import type { CsvReader } from './csv/csv-reader.ts'
import type { Chosen } from './upload-options.tsx'
import type { Upload } from './upload-run.ts'

const SEND = { children: 'Send them a campaign', leftSection: <IconSpeakerphone size={16} aria-hidden /> }

interface WhatNextProps {
	upload: Upload
	chosen: Chosen
	reader: () => CsvReader
	onAnother: () => void
}

/** Where to go once people are uploaded: to a campaign for exactly them, or to look at them. */
export function WhatNext({ upload, chosen: { group, update }, reader, onAnother }: WhatNextProps) {
	const { saved, existing } = upload
	const isAny = saved + existing > 0
	// Who was to stay as they are would get the names in the file together with the group.
	const canMove = isAny && group === null && (update || existing === 0)
	return (
		<Stack gap={8}>
			<Group gap={8}>
				{isAny && group && <Button component={Link} to={groupCampaignPath(group)} {...SEND} />}
				{canMove && <SendAsGroup upload={upload} reader={reader} />}
				{isAny && (
					<Button
						component={Link}
						to={group ? groupContactsPath(group) : contactPaths.list}
						variant="default"
						leftSection={<IconUsers size={16} aria-hidden />}
					>
						View them
					</Button>
				)}
				<Button variant="default" onClick={onAnother}>
					Upload another file
				</Button>
			</Group>
			{canMove && existing > 0 && (
				<p className="quiet">
					For a campaign they are put into a new group. Those in another group leave it, as a contact can be in only
					one.
				</p>
			)}
		</Stack>
	)
}

/** A campaign goes to a group, so whoever was uploaded without one is put into a new one first. */
function SendAsGroup({ upload, reader }: Pick<WhatNextProps, 'upload' | 'reader'>) {
	const name = useNewName()
	const navigate = useNavigate()
	/** The group that is there already where putting them into it has failed. */
	const [created, setCreated] = useState<string | null>(null)
	const send = async () => {
		const group = created ?? (await createGroup(name))
		setCreated(group)
		await putInto(group, { reader: reader(), count: upload.sent })
		void invalidate(contacts.list, contacts.latest, contacts.groups)
		await navigate(groupCampaignPath(group))
	}
	return (
		<ActionButton
			{...SEND}
			busyText="Putting them into a group..."
			act={send}
			failed={(error) => briefToast.failure(error, 'Failed to save contact group')}
		/>
	)
}

/** Their names are those in the file by now, so that the group is all that changes. */
async function putInto(group: string, { reader, count }: { reader: CsvReader; count: number }): Promise<void> {
	for (let from = 0; from < count; from += CHUNK_ROWS) {
		const rows = await reader.take(from, Math.min(CHUNK_ROWS, count - from))
		const people = rows.map(({ firstName, lastName, number }) => ({ firstName, lastName, number }))
		await call(contacts.addMany, { body: { contacts: people, group, update: true } })
	}
}
