import { Anchor } from '@mantine/core'
import type { CampaignDetail } from '#features/campaigns/contract.ts'
import { campaignPath } from '#features/campaigns/paths.ts'
import { Link } from '#lib/web/router/link.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'

interface CopiedNoticeProps {
	/** The campaign that the form was filled in from. */
	source: CampaignDetail
	/** True when a template that can be sent is chosen. */
	isUsable: boolean
	hasFile: boolean
}

/** Names the campaign that the form was copied from, and the parts that a copy lacks. */
export function CopiedNotice({ source, isUsable, hasFile }: CopiedNoticeProps) {
	const needsFile = source.audienceType === 'file' && !hasFile
	const needsGroup = source.audienceType === 'group' && source.selectedGroup === null
	return (
		<div className="stack" style={{ marginBottom: 16 }}>
			<Notice tone={isUsable && !needsFile && !needsGroup ? 'info' : 'warn'}>
				<p>
					This is a copy of{' '}
					<Anchor component={Link} to={campaignPath(source._id)} inherit underline="always">
						<UserText text={source.name} />
					</Anchor>
					. Nothing is sent until you press Send Campaign.
				</p>
				{!isUsable && <p>Its template can no longer be sent. Choose another one.</p>}
				{needsFile && (
					<p>
						Contact files are not kept. Upload the file again, or export the recipients of the first campaign and upload
						them.
					</p>
				)}
				{needsGroup && <p>Its group was deleted. Choose another audience.</p>}
			</Notice>
		</div>
	)
}
