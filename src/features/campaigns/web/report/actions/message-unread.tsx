import { type Rule, segments } from '#features/audiences/segment-contract.ts'
import type { CampaignDetail } from '#features/campaigns/contract.ts'
import { groupCampaignPath, segmentCampaignPath } from '#features/campaigns/paths.ts'
import { campaignReports } from '#features/campaigns/report-contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { formatDateTime } from '#lib/dates.ts'
import { plural } from '#lib/numbers.ts'
import { call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { useNavigate } from '#lib/web/router/hooks.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import { listName } from '../report.ts'

interface MessageUnreadProps {
	campaign: CampaignDetail
	/** Number of recipients whose message was delivered and not read. */
	people: number
	dialog: { opened: boolean; close: () => void }
}

/**
 * Asks, then opens Create Campaign for the recipients who did not read the message. They become a segment, which leaves out those who
 * read it meanwhile. Recipients of a file or a program, who need not be contacts, become a contact group.
 */
export function MessageUnread({ campaign, people, dialog }: MessageUnreadProps) {
	const navigate = useNavigate()
	const isSegment = campaign.audienceType !== 'file' && !campaign.isApi
	const choose = async () => navigate(await (isSegment ? segmentPath(campaign) : groupPath(campaign)))
	return (
		<ConfirmDialog
			dialog={dialog}
			title="Message those who did not read"
			size={480}
			confirm="Choose a message"
			busyText="Saving..."
			onConfirm={choose}
			failed={(error) =>
				briefToast.failure(error, isSegment ? 'Failed to save segment' : 'Failed to save contact group')
			}
		>
			<p>{plural(people, 'person', 'people')} got the message and have not read it. Nothing is sent yet.</p>
			<p>
				{isSegment
					? 'We save them as a segment, and skip those who read the message before you send.'
					: 'We save them as a contact group. People without a contact become contacts, and contacts leave their present group.'}
			</p>
		</ConfirmDialog>
	)
}

/** Returns the path of Create Campaign with the segment of those who did not read. Creates the segment unless it exists. */
async function segmentPath({ _id, name: campaign, startedAt }: CampaignDetail): Promise<string> {
	// The name contains the time, because campaigns may have the same name.
	const name = listName(campaign, `not read, ${formatDateTime(startedAt ?? '')}`)
	const rules: Rule[] = [
		{ kind: 'received', is: true, campaign: _id },
		{ kind: 'read', is: false, campaign: _id },
	]
	const isForCampaign = (rule: Rule) => 'campaign' in rule && rule.campaign === _id
	const known = (await call(segments.list)).segments.find(
		(segment) => segment.name === name && segment.rules.every(isForCampaign),
	)
	if (known) return segmentCampaignPath(known._id)
	const { segment } = await call(segments.create, { body: { name, match: 'all', rules } })
	void invalidate(segments.list)
	return segmentCampaignPath(segment._id)
}

async function groupPath({ _id, name }: CampaignDetail): Promise<string> {
	// The name contains the time, because each group has other people.
	const body = { of: 'unread' as const, name: listName(name, `not read, ${formatDateTime(new Date().toISOString())}`) }
	const { group } = await call(campaignReports.createGroup, { params: { id: _id }, body })
	void invalidate(contacts.groups, contacts.list, contacts.latest)
	return groupCampaignPath(group._id)
}
