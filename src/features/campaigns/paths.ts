export const campaignPaths = {
	create: '/user/create/template/campaign',
	list: '/user/view/template/campaign/message',
} as const

export function campaignPath(id: string | number): string {
	return `/campaign/${id}`
}

/** Create Campaign with this template chosen. */
export function templateCampaignPath(templateId: string): string {
	return `${campaignPaths.create}?template=${templateId}`
}

/** Create Campaign with this group of contacts chosen. */
export function groupCampaignPath(groupId: string): string {
	return `${campaignPaths.create}?group=${groupId}`
}

/** Create Campaign with this segment of contacts chosen. */
export function segmentCampaignPath(segmentId: string): string {
	return `${campaignPaths.create}?segment=${segmentId}`
}

/** Create Campaign, filled in as for this one. */
export function campaignCopyPath(id: string): string {
	return `${campaignPaths.create}?from=${id}`
}

/** Changes one that has not started. */
export function campaignEditPath(id: string): string {
	return `${campaignPaths.create}?edit=${id}`
}
