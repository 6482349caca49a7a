import { Button, Group, Stack } from '@mantine/core'
import { IconSpeakerphone, IconUsers } from '@tabler/icons-react'
import { groupCampaignPath } from '#features/campaigns/paths.ts'
import { contactPaths, groupContactsPath } from '#features/contacts/paths.ts'
import { Link } from '#lib/web/router/link.tsx'
import { briefToast } from '#lib/web/toast.tsx'
import { ActionButton } from '#lib/web/ui/form/action-button.tsx'
import { useNewName } from '../new-group.ts'
import type { Chosen } from './upload-options.tsx'
import type { Upload } from './upload-run.ts'

interface WhatNextProps {
	upload: Upload
	chosen: Chosen
	/** Uploads the same people again, into a new group of this name. */
	onNewGroup: (name: string) => Promise<void>
	onAnother: () => void
}

/** Renders links after an upload: to a campaign for exactly these people, or to the list. */
export function WhatNext({ upload, chosen: { group, update }, onNewGroup, onAnother }: WhatNextProps) {
	const name = useNewName()
	const { saved, existing, sent, total } = upload
	const isAny = saved + existing > 0
	// The second upload also overwrites names, so the button is hidden when existing contacts were left unchanged.
	const isMovable = isAny && sent === total && group === null && (update || existing === 0)
	return (
		<Stack gap={8}>
			<Group gap={8}>
				{isAny && group && (
					<Button
						component={Link}
						to={groupCampaignPath(group)}
						leftSection={<IconSpeakerphone size={16} aria-hidden />}
					>
						Send them a campaign
					</Button>
				)}
				{isMovable && (
					<ActionButton
						leftSection={<IconUsers size={16} aria-hidden />}
						busyText="Creating the group..."
						act={() => onNewGroup(name)}
						failed={(error) => briefToast.failure(error, 'Failed to save contact group')}
					>
						Put them into a group
					</ActionButton>
				)}
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
			{isMovable && (
				<p className="quiet">
					You can then send a campaign to the group.
					{existing > 0 && ' A contact can be in one group only: people in another group move to this one.'}
				</p>
			)}
		</Stack>
	)
}
