export const campaignPaths = {
	create: '/user/create/template/campaign',
	list: '/user/view/template/campaign/message',
} as const

export function campaignPath(id: string | number): string {
	return `/campaign/${id}`
}

/** Returns the path of Create Campaign with this template chosen. */
export function templateCampaignPath(templateId: string): string {
	return `${campaignPaths.create}?template=${templateId}`
}

/** Returns the path of Create Campaign with this group chosen. */
export function groupCampaignPath(groupId: string): string {
	return `${campaignPaths.create}?group=${groupId}`
}

/** Returns the path of Create Campaign with this segment chosen. */
export function segmentCampaignPath(segmentId: string): string {
	return `${campaignPaths.create}?segment=${segmentId}`
}

/** Returns the path of Create Campaign with the values of this campaign. */
export function campaignCopyPath(id: string): string {
	return `${campaignPaths.create}?from=${id}`
}

/** Returns the path of the form that changes a campaign before it starts. */
export function campaignEditPath(id: string): string {
	return `${campaignPaths.create}?edit=${id}`
}

/** State of the navigation to the report of a campaign that was just created. */
export const JUST_CREATED = 'just created'
